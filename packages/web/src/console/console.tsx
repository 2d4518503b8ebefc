/** The console for operators. */

export default function Console() {
  return (
    <main className="p-6">
      <h1 className="text-base font-semibold">Console</h1>
    </main>
  );
}
