/** The baseline: a websocket server with only `ws`, which replies to every message with fixed bytes. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerCosts } from '../http/cpu.ts';

/** The exchange's messages before and after sign-in, and its reply to an order. */
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
