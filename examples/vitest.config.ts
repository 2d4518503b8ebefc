// For testing-vitest.ts alone: in a project of its own a file that is called *.test.ts needs no configuration.

import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['examples/testing-vitest.ts'] } });
