/** The compressed size of the scripts that the terminal loads at first. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ASSETS = fileURLToPath(new URL('../../packages/web/dist/assets/', import.meta.url));
/** The package name, or the library's attribution text. */
const CHART = /lightweight-charts|Charting by TradingView/;

export interface ScriptBytes {
  /** All that it loads, the chart aside. */
  readonly terminal: number;
  readonly chart: number;
}

export function scriptBytes(): ScriptBytes {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  const isChart = (name: string): boolean => CHART.test(readFileSync(ASSETS + name, 'utf8'));
  const sum = (names: readonly string[]): number =>
    names.reduce((bytes, name) => bytes + sizeOf(name, scripts), 0);
  const chart = scripts.filter(isChart);
  const others = scripts.filter((name) => !chart.includes(name) && isOfTerminal(name));
  return { terminal: sum(others), chart: sum(chart) };
}

/** Console, drawer and money are loaded when they are opened. */
function isOfTerminal(name: string): boolean {
  return !/^(console|overview|sandbox-drawer|money)-/.test(name);
}

function sizeOf(name: string, all: readonly string[]): number {
  const isCompressed = all.includes(name) && readdirSync(ASSETS).includes(`${name}.br`);
  return statSync(ASSETS + (isCompressed ? `${name}.br` : name)).size;
}
