/** Websockets by the package `ws`: for Node without its own, and faster where many small messages are sent. */

import { WebSocket } from 'ws';
import type { OpenSocket, Socket } from '../socket.ts';

export const openNodeSocket: OpenSocket = (url) =>
  new WebSocket(url, { perMessageDeflate: false }) as unknown as Socket;
