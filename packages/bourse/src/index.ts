/** For a program that runs an exchange in its own process. */

export { loadSettings } from './config/load.ts';
export { startExchange } from './startup/start.ts';
