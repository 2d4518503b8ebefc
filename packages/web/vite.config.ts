/**
 * Builds the pages into `dist`: one HTML file, and below `/assets/` files whose names change with their content, so
 * that a browser may keep them for ever. Terminal and console are loaded by their routes; neither loads the other.
 */

import tailwind from '@tailwindcss/vite';
import { defineConfig, loadEnv } from 'vite';

const servedByExchange = [
  '/api',
  '/compat',
  '/kyc',
  '/sandbox/v1',
  '/operator',
  '/metrics',
  '/docs',
  '/openapi.json',
];

export default defineConfig(({ mode }) => {
  /** For the development server (`npx vite packages/web`): a running exchange that answers what the pages ask. */
  const exchange = loadEnv(mode, '.', 'BOURSE_')['BOURSE_URL'] ?? 'http://127.0.0.1:8080';
  return {
    plugins: [tailwind()],
    build: {
      target: 'es2023',
      outDir: 'dist',
      assetsDir: 'assets',
      // A picture inside a style sheet or a script would need `data:` in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // Components of libraries say "use client", for servers that render React. Here there is no such server.
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
