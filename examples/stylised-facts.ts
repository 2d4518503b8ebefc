// Three stylised facts of a market, from its exported trades: `npx node examples/stylised-facts.ts` takes the last
// trade of each minute of a simulated day; `bourse export ./data trades > trades.csv` makes your own file. Real markets
// have fat tails, returns that do not predict themselves, and volatility that does. The same figures of the same
// returns in random order show how much of each is chance.

import { readFileSync } from 'node:fs';

const [file = `${import.meta.dirname}/trades-of-a-day.csv`, wanted = 'BTC-USDT', seconds = '60'] =
  process.argv.slice(2);
const shuffles = 50;
const [head = '', ...rows] = readFileSync(file, 'utf8').trim().split('\n');
const column = (name: string) => head.split(',').indexOf(name);
const [symbolAt, timeAt, priceAt] = [column('symbol'), column('timestamp'), column('price')];

/** The last price of each interval in which something traded. */
const closes = new Map<number, number>();
for (const cells of rows.map((row) => row.split(',')).filter((each) => each[symbolAt] === wanted))
  closes.set(Math.floor(Number(cells[timeAt]) / (Number(seconds) * 1e6)), Number(cells[priceAt]));
const prices = [...closes.values()];
const returns = prices.slice(1).map((price, at) => Math.log(price / prices[at]!));
if (returns.length < 1000)
  throw new Error(
    `${file} has ${returns.length} returns of ${wanted}. Fewer than 1000 are too few for these figures.`,
  );

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const moment = (values: readonly number[], power: number) => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power));
};
function autocorrelation(values: readonly number[], lag: number): number {
  const middle = mean(values);
  const products = values.slice(lag).map((value, at) => (value - middle) * (values[at]! - middle));
  return products.reduce((sum, value) => sum + value, 0) / (values.length * moment(values, 2));
}
/** Over lags 2 to 10: one alone is mostly noise, and the first has the bounce between bid and ask. */
const memory = (values: readonly number[]) =>
  mean(Array.from({ length: 9 }, (_, at) => autocorrelation(values, at + 2)));
/** A linear congruential generator, so that each run prints the same. */
let state = 1;
const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
/** The largest size of the figure among random orders of the values. */
function byChance(values: readonly number[]): number {
  const sorted = () => values.map((value) => ({ value, at: random() })).toSorted((a, b) => a.at - b.at);
  const figures = Array.from({ length: shuffles }, () => memory(sorted().map(({ value }) => value)));
  return Math.max(...figures.map(Math.abs));
}
const sizes = returns.map(Math.abs);

console.log(
  `${wanted}: ${returns.length} returns of ${seconds} s; by chance: the most of ${shuffles} shuffles`,
);
console.log(`fat tails: excess kurtosis ${(moment(returns, 4) / moment(returns, 2) ** 2 - 3).toFixed(2)}`);
console.log(
  `no memory of direction: autocorrelation of returns ${memory(returns).toFixed(3)}, by chance ${byChance(returns).toFixed(3)}`,
);
console.log(
  `memory of size: autocorrelation of absolute returns ${memory(sizes).toFixed(3)}, by chance ${byChance(sizes).toFixed(3)}`,
);
