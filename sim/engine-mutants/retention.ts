/** What may be removed of the log (keepLog off): mutants that would lose records. */

import { type EngineMutant, inFile } from './mutant.ts';

const TEST = 'packages/bourse/test/startup/log-retention.test.ts';

export const RETENTION: readonly EngineMutant[] = [
  ...inFile('engine/src/log-retention.ts', [
    {
      name: 'a segment is removed though its copy has a fault',
      rule: 'retention',
      test: TEST,
      only: 'a segment is removed when it was copied whole',
      find: '      if (problem !== null) return problem;\n      this.removable = last;',
      replace: '      this.removable = last;\n      if (problem !== null) return problem;',
    },
    {
      name: 'a segment is removed behind a snapshot that nobody has read again',
      rule: 'retention',
      test: TEST,
      only: 'nothing is removed behind a snapshot',
      find: 'if (fault !== null) return `${fault}, and the log is needed from its first record on.`;',
      replace: '',
    },
  ]),
  ...inFile('bourse/src/config/load.ts', [
    {
      name: 'keepLog off needs no copy',
      rule: 'retention',
      test: TEST,
      only: 'keepLog off needs a copy',
      find: "if (!settings.keepLog && settings.logCopy === '') {",
      replace: "if (!settings.keepLog && settings.logCopy === '/') {",
    },
  ]),
];
