// npm install runs this last: the pages are built, so that the first start has them. Where they cannot be built (an
// install without development dependencies, a platform without a binding of the bundler) the install is none the worse:
// everything but the pages works, and a start says how they are made.

try {
  const { buildWeb } = await import('./build-web.mjs');
  await buildWeb();
} catch (error) {
  console.error(
    `The pages were not built (${error.message.split('\n')[0]}); \`npm run build:web\` tries again.`,
  );
}
