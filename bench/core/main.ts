/**
 * npm run bench:core [-- --json] [-- --turns N]
 *
 * The whole core (ledger, holds, fees, self-trade checks, events) against the npm package nodejs-order-book (a book
 * without any of these) on the same flow in the same run; then single commands, growth and memory.
 */

import { parseArgs } from 'node:util';
import { DEFAULT_FLOW, makeFlow } from './flow.ts';
import { type Growth, latencyAt, latencyOfFlow, timerCost } from './latency.ts';
import { compare, type Throughput } from './throughput.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, turns: { type: 'string', default: '5' } },
});
const turns = Number(values.turns);

const million = (speed: number) => `${(speed / 1e6).toFixed(3)} M/s`;
const show = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`);

function showThroughput(name: string, { core, rival, ratio, ratios }: Throughput): void {
  const each = ratios.map((one) => one.toFixed(1)).join(' ');
  show(
    name,
    `core ${million(core)}, nodejs-order-book ${million(rival)}, ratio ${ratio.toFixed(1)} (${each})`,
  );
}

function showGrowth({ resting, symbols, p50, p99, p999, bytesPerOrder }: Growth): void {
  const name = `${resting} resting, ${symbols} symbol${symbols > 1 ? 's' : ''}`;
  show(name, `p50 ${p50} ns, p99 ${p99} ns, p99.9 ${p999} ns, ${bytesPerOrder} bytes per resting order`);
}

const standard = compare('standard', turns);
showThroughput('default flow, 1 M commands', standard);
const wide = compare('wide', turns);
showThroughput('wide book, 1 M commands', wide);

const timer = timerCost();
const defaultFlow = makeFlow(DEFAULT_FLOW);
latencyOfFlow(defaultFlow);
const single = latencyOfFlow(defaultFlow);
show('single commands, default flow', `p50 ${single.p50} ns, p99 ${single.p99} ns, p99.9 ${single.p999} ns`);
show('of which the timer', `${timer} ns`);

latencyAt(1000, 1, false);
const small = latencyAt(1000, 1, false);
const large = latencyAt(1_000_000, 1, false);
const oneSymbol = latencyAt(100_000, 1, false);
const manySymbols = latencyAt(100_000, 1000, false);
const named = latencyAt(1_000_000, 1, true);
for (const growth of [small, large, oneSymbol, manySymbols]) showGrowth(growth);
show('with client ids', `${named.bytesPerOrder} bytes per resting order, p50 ${named.p50} ns`);
const growthOrders = large.p50 / small.p50;
const growthSymbols = manySymbols.p50 / oneSymbol.p50;
show('p50 from 1 thousand to 1 M orders', `${growthOrders.toFixed(2)} times`);
show('p50 from 1 to 1,000 symbols', `${growthSymbols.toFixed(2)} times`);

if (values.json) {
  const report = {
    ratio: standard.ratio,
    standard,
    wide,
    single,
    timer,
    small,
    large,
    oneSymbol,
    manySymbols,
    named,
    growthOrders,
    growthSymbols,
  };
  console.log(JSON.stringify(report));
}
