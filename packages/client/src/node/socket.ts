/** Websockets with the package `ws`: for Node versions without their own, and faster for many small messages. */

import { WebSocket } from 'ws';
import type { OpenSocket, Socket } from '../socket.ts';

export const openNodeSocket: OpenSocket = (url) =>
  new WebSocket(url, { perMessageDeflate: false }) as unknown as Socket;
