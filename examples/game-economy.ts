// The economy of a game in 40 lines: players gather wood and ore, and trade them for coins in a real order book.
// `npx node examples/game-economy.ts` plays a week. Coins are USDT; wood is ADA, ore is XRP, as the sandbox lists them.

import { startExchange } from '@bourse/testing';

const goods = { wood: 'ADA-USDT', ore: 'XRP-USDT' } as const;
const price = { wood: 0.5, ore: 0.5 };
const exchange = await startExchange({ clock: 'manual' });
/** Each gathers one good and needs the other, at slightly different prices. */
const players = ['ann', 'ben', 'cem', 'dia'].map((name, at) => {
  const [gathers, needs] = at % 2 === 0 ? (['wood', 'ore'] as const) : (['ore', 'wood'] as const);
  return { name, gathers, needs, thrift: 1 + 0.02 * (at - 1.5) };
});
for (const { name } of players) await exchange.newUser(name, { USDT: '100' });

for (let day = 1; day <= 7; day++) {
  // Ore becomes scarce during the week, so its price should rise.
  const found = { wood: '20', ore: String(20 - 2 * day) };
  for (const { name, gathers, thrift } of players) {
    const [symbol, size] = [goods[gathers], found[gathers]];
    await exchange.faucet({ user: name, currency: symbol.slice(0, 3), amount: size, account: 'trade' });
    const terms = { symbol, side: 'sell', type: 'limit', size } as const;
    await exchange.client(name).placeOrder({ ...terms, price: (price[gathers] * thrift).toFixed(4) });
  }
  for (const { name, needs } of players)
    await exchange.client(name).placeOrder({ symbol: goods[needs], side: 'buy', type: 'market', size: '12' });
  for (const good of ['wood', 'ore'] as const) {
    const { asks } = await exchange.client('ann').depth(goods[good]);
    price[good] *= asks.length > 0 ? 0.9 : 1.3;
  }
  for (const { name, gathers } of players) await exchange.client(name).cancelOrders(goods[gathers]);
  await exchange.clock.advance(86_400_000);
  console.log(`day ${day}: wood ${price.wood.toFixed(3)}, ore ${price.ore.toFixed(3)} coins`);
}
for (const { name, gathers } of players) {
  const [coins] = await exchange.client(name).accounts({ currency: 'USDT', type: 'trade' });
  console.log(`${name} gathered ${gathers} and earned ${(Number(coins!.balance) - 100).toFixed(2)} coins`);
}
await exchange.stop();
