/** Lines such as `USDT 1000` as amounts by currency; undefined where a line is none, or a currency stands there twice. */

const LINE = /^(\S+)\s+(\d+(?:\.\d+)?)$/;

export function readBalances(text: string): Readonly<Record<string, string>> | undefined {
  const balances = new Map<string, string>();
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, currency, amount] = LINE.exec(line) ?? [];
    if (currency === undefined || amount === undefined || balances.has(currency)) return undefined;
    balances.set(currency, amount);
  }
  return Object.fromEntries(balances);
}
