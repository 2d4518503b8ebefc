// For testing-vitest.ts alone: in a project of its own a file that is called *.test.ts needs no configuration.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  // An exchange starts in a second or two; vitest would wait for 10, which a busy machine may need.
  test: { include: ['examples/testing-vitest.ts'], hookTimeout: 60_000 },
});
