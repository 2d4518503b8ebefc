// Market data over a bare websocket, without keys or packages: `npm start`, then
// `npx node examples/market-data.ts BTC-USDT 10`. Prints ten trades with the best prices at that moment, and ends.

const url = process.env['BOURSE_URL'] ?? 'http://127.0.0.1:8080';
const [symbol = 'BTC-USDT', count = '10'] = process.argv.slice(2);
if (!/^[1-9][0-9]*$/.test(count)) throw new Error(`'${count}' is not a number of trades, from 1 on`);

interface Message {
  readonly type: string;
  readonly topic?: string;
  readonly data?: Readonly<Record<string, string>>;
}

// The token response says where to connect. Public topics need no key.
const reply = await fetch(`${url}/compat/api/v1/bullet-public`, { method: 'POST' });
const { data } = (await reply.json()) as {
  data: { token: string; instanceServers: { endpoint: string; pingInterval: number }[] };
};
const [{ endpoint, pingInterval }] = data.instanceServers as [(typeof data.instanceServers)[0]];
const socket = new WebSocket(`${endpoint}?token=${data.token}&connectId=1`);
const send = (message: object) => socket.send(JSON.stringify({ id: '1', ...message }));
// The server closes a connection that sends nothing for a minute.
const pings = setInterval(() => send({ type: 'ping' }), pingInterval);

let best = '';
let left = Number(count);
socket.addEventListener('message', (event) => {
  const message = JSON.parse(event.data as string) as Message;
  const { type, topic = '', data: told = {} } = message;
  if (type === 'welcome') {
    for (const name of ['ticker', 'match'])
      send({ type: 'subscribe', topic: `/market/${name}:${symbol}`, response: true });
  } else if (type === 'error') {
    console.error(event.data);
    process.exitCode = 1;
    socket.close();
  } else if (topic.startsWith('/market/ticker')) {
    best = `${told['bestBid']} / ${told['bestAsk']}`;
  } else if (topic.startsWith('/market/match')) {
    const time = new Date(Number(told['time']) / 1e6).toISOString();
    console.log(`${time} ${told['side']} ${told['size']} at ${told['price']}, best ${best}`);
    if (--left === 0) socket.close();
  }
});
socket.addEventListener('close', () => clearInterval(pings));
