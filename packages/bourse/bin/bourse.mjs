#!/usr/bin/env node
// Plain JavaScript, because an old Node, or one without TypeScript, must be able to run it: it looks for the Node 24 that
// was installed with this package, and hands over to it.

import module from 'node:module';
import { ownCacheDirectory } from './compile-cache.mjs';
import { handOver } from './newer-node.mjs';
import { stopWithParent } from './parent-process.mjs';

const majorMin = 24;

stopWithParent();
if (Number.parseInt(process.versions.node, 10) < majorMin) handOver(import.meta.filename, majorMin);
else {
  await import('./v8-flags.mjs');
  const cache = process.env.NODE_COMPILE_CACHE ?? ownCacheDirectory();
  if (cache !== undefined) {
    // Threads learn of it from the environment alone.
    process.env.NODE_COMPILE_CACHE = cache;
    module.enableCompileCache(cache);
  }
  try {
    await import('../src/main.ts');
  } catch (error) {
    // Debian builds Node without what reads TypeScript.
    if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    handOver(import.meta.filename, majorMin);
  }
}
