/** The baseline: a websocket server with `ws` alone, which answers every message with given bytes. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerCosts } from '../http/cost.ts';

/** What order entry says before and after it knows who it is, and to an order. */
const [, , challenge, welcome, answer] = process.argv;

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  let isWelcome = false;
  socket.send(challenge);
  socket.on('message', () => {
    socket.send(isWelcome ? answer : welcome);
    isWelcome = true;
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
answerCosts();
process.stdin.on('end', () => process.exit(0));
