/** A User-Agent header as "Firefox on Windows". Unknown agents stay as they are. */

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const LENGTH_MAX = 120;

export function deviceName(header = ''): string {
  // Printable ASCII only, because it appears in mails.
  const agent = header.replaceAll(/[^\x20-\x7e]/g, '').slice(0, LENGTH_MAX * 4);
  const nameIn = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === undefined) return agent.slice(0, LENGTH_MAX);
  return system === undefined ? browser : `${browser} on ${system}`;
}
