// Only for testing-vitest.ts: in your own project, a file named *.test.ts needs no configuration.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  // An exchange starts in a second or two, but a busy machine may need more than vitest's default of 10.
  test: { include: ['examples/testing-vitest.ts'], hookTimeout: 60_000 },
});
