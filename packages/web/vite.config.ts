/**
 * Builds the pages into `dist`: an HTML file for the terminal and one for the console, and below `/assets/` files whose
 * names change with their content, so that a browser may cache them for ever. Neither page loads the other.
 */

import tailwind from '@tailwindcss/vite';
import { defineConfig, loadEnv } from 'vite';
import { preloads } from './preloads.ts';

const servedByExchange = [
  '/api',
  '/compat',
  '/identity',
  '/kyc',
  '/sandbox/v1',
  '/operator',
  '/metrics',
  '/docs',
  '/openapi.json',
];

/** Few files: one for the first script, one for code that several pages share, and one per page. */
const GROUPS = [
  {
    name: 'begin',
    priority: 2,
    test: /packages\/client\/|src\/begin\.ts|src\/preferences\/preferences\.ts|src\/exchange\/(?:connection|first-market|frame-signal|market-watch)\.ts|vite\/preload-helper|rolldown\/runtime/,
  },
  { name: 'shared', priority: 1, minShareCount: 2 },
];

export default defineConfig(({ mode }) => {
  /** For the development server (`npx vite packages/web`): a running exchange that answers the pages' requests. */
  const exchange = loadEnv(mode, '.', 'BOURSE_')['BOURSE_URL'] ?? 'http://127.0.0.1:8080';
  return {
    plugins: [
      tailwind(),
      preloads({
        '/index.html': ['/src/main.tsx', '/src/terminal/terminal.tsx'],
        '/console.html': ['/src/main.tsx', '/src/console/console.tsx'],
      }),
    ],
    build: {
      target: 'es2023',
      outDir: 'dist',
      assetsDir: 'assets',
      // An image inlined in a style sheet or script would need `data:` in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: ['index.html', 'console.html', 'docs.html'],
        output: { codeSplitting: { groups: GROUPS } },
        // Library components have "use client" directives for server rendering, which these pages do not use.
        checks: { moduleLevelDirective: false, pluginTimings: false },
      },
    },
    server: {
      proxy: Object.fromEntries(
        servedByExchange.map((path) => [path, { target: exchange, changeOrigin: true }]),
      ),
    },
  };
});
