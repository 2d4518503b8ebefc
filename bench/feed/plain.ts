/** The baseline: a plain server that sends each text to each of its sockets. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type Burst, onTask, Pace, report } from './messages.ts';

const [, , file] = process.argv;
const texts = readFileSync(file, 'utf8').split('\n');
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.send('{"id":"x","type":"welcome"}');
  socket.on('message', () => socket.send('{"id":"s","type":"ack"}'));
});

const pace = new Pace();

async function burst({ messages, together, aheadMax }: Burst): Promise<void> {
  for (let sent = 0; sent < messages; sent += together) {
    await pace.until(sent, aheadMax);
    for (let i = sent; i < sent + together; i++) {
      const text = texts[i % texts.length];
      for (const socket of sockets.clients) socket.send(text);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

onTask((task) => {
  if (task.kind === 'progress') {
    pace.note(task.messages);
  } else if (task.kind === 'burst') {
    pace.begin();
    void burst(task).then(() => report({ kind: 'done' }));
  } else if (task.kind === 'close') process.exit(0);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  report({ kind: 'ready', url: `http://127.0.0.1:${port}` });
});
