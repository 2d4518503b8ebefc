/** The baseline: Node's own HTTP server, which reads the body and returns fixed bytes to any request. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCosts } from './cpu.ts';

const answer = process.argv[2];
const end = answer.indexOf('\r\n\r\n');
const body = answer.slice(end + 4);
const own = new Set(['date', 'connection', 'keep-alive']);
const headers = answer
  .slice(0, end)
  .split('\r\n')
  .slice(1)
  .map((line) => line.split(': '))
  .filter(([name]) => !own.has(name.toLowerCase()))
  .flat();

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    Buffer.concat(chunks);
    response.writeHead(200, headers);
    response.end(body, 'latin1');
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
answerCosts();
process.stdin.on('end', () => process.exit(0));
