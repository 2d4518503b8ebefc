// A reporter of `node --test` for runs in which every test must run: a skipped test fails the run.

export default async function* skippedTests(events) {
  const skipped = [];
  for await (const { type, data } of events) {
    const isEnd = type === 'test:pass' || type === 'test:fail';
    if (isEnd && data.skip !== undefined) skipped.push(data);
  }
  if (skipped.length === 0) return;
  process.exitCode = 1;
  yield `\n${skipped.length} tests were skipped, and in this run none may be:\n`;
  for (const { name, skip } of skipped) yield `  ${name}: ${skip === true ? 'it does not say why' : skip}\n`;
}
