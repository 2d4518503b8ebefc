/** Mutants of what happens at the sandbox's edge: faults, and what the tester is told. */

import { type EngineMutant, inFile } from '../engine-mutants/mutant.ts';

const FAULTS = 'packages/bourse/test/sandbox/faults.test.ts';
const FEED = 'packages/bourse/test/sandbox/feed-faults.test.ts';
const ENTRY = 'packages/bourse/test/sandbox/order-entry-faults.test.ts';
const CONTRACT = 'packages/bourse/test/sandbox/contract.test.ts';
const WATCH = 'packages/bourse/test/sandbox/watch.test.ts';

export const EDGE: readonly EngineMutant[] = [
  ...inFile('sandbox/src/faults/request-faults.ts', [
    {
      name: 'a fault touches the log: a dropped request is done',
      rule: 'faults',
      test: FAULTS,
      only: 'what is done and what is not',
      find: "        hit();\n        return { ...none, instead: 'cut' };",
      replace: '        return { ...none, deliver: delivering(hit, (reply) => reply.cut()) };',
    },
    {
      name: 'a lost reply is that of an order that was not taken',
      rule: 'faults',
      test: ENTRY,
      only: 'what is done and what is not',
      find: 'return { ...none, deliver: delivering(hit, (reply) => reply.cut()) };',
      replace: "hit();\n        return { ...none, instead: 'cut' };",
    },
    {
      name: 'a delay before the command is one after it',
      rule: 'faults',
      test: FAULTS,
      only: 'answers that come late',
      find: 'if (effect.before) return { ...none, waitMs: ms };',
      replace: '',
    },
    {
      name: 'a late order that is refused at once counts as late',
      rule: 'hits',
      test: CONTRACT,
      only: 'a fault that a request did not come to',
      find: '            const answer = await settled(handle(call, route));\n            this.#unmet.delete(fault);\n            hit();',
      replace:
        '            hit();\n            this.#unmet.delete(fault);\n            const answer = await settled(handle(call, route));',
    },
  ]),
  ...inFile('sandbox/src/faults/fault-rule.ts', [
    {
      name: 'a rule meets more than its times',
      rule: 'faults',
      test: FAULTS,
      only: 'rules fire by',
      find: ' || this.#fired >= times',
      replace: '',
    },
    {
      name: 'a rule meets by chance, not by its seed',
      rule: 'faults',
      test: FAULTS,
      only: 'rules fire by',
      find: 'this.chance() >= probability',
      replace: 'Math.random() >= probability',
    },
  ]),
  ...inFile('sandbox/src/faults/fault-rules.ts', [
    {
      name: 'a rule of a dialect means order entry in any case',
      rule: 'faults',
      test: ENTRY,
      only: 'a rule of the literal dialect',
      find: 'if (dialect !== undefined && dialect !== asked.dialect.name) return false;',
      replace:
        "if (dialect !== undefined && asked.transport === 'http' && dialect !== asked.dialect.name) return false;",
    },
    {
      name: 'a rule of a symbol means all that a topic of many says',
      rule: 'faults',
      test: FEED,
      only: 'topics that have many',
      find: 'return message.includes(`"symbol":"${symbol}"`) || message.includes(`"subject":"${symbol}"`);',
      replace: 'return message.length > 0;',
    },
  ]),
  ...inFile('sandbox/src/faults/late-port.ts', [
    {
      name: 'a late order comes at once',
      rule: 'faults',
      test: FAULTS,
      only: 'an order that comes late',
      find: 'clock.after(ms, () => {',
      replace: 'clock.soon(() => {',
    },
  ]),
  ...inFile('sandbox/src/faults/order-aliases.ts', [
    {
      name: 'a late order has another id than was answered',
      rule: 'faults',
      test: FAULTS,
      only: 'an order that comes late',
      find: '    this.#shown.set(id, alias);\n',
      replace: '',
    },
  ]),
  ...inFile('sandbox/src/faults/stale-exchange.ts', [
    {
      name: 'a stale read is up to date',
      rule: 'faults',
      test: FAULTS,
      only: 'reads that lag',
      find: '      if (record.time > time) break;\n',
      replace: '',
    },
  ]),
  ...inFile('sandbox/src/faults/feed-faults.ts', [
    {
      name: 'what a stall held back comes later',
      rule: 'faults',
      test: FEED,
      only: 'a silent stall',
      find: 'if (this.#clock.elapsed() >= state.stalledUntil) give([text]);',
      replace:
        'if (this.#clock.elapsed() >= state.stalledUntil) give([text]);\n    else this.#clock.after(700, () => give([text]));',
    },
    {
      name: 'connections that are open already are not lost',
      rule: 'faults',
      test: FEED,
      only: 'pongs withheld',
      find: 'for (const socket of this.#sockets.keys()) this.#disconnect(rule, socket);',
      replace: '',
    },
  ]),
  ...inFile('sandbox/src/watch/secrets-out.ts', [
    {
      name: 'the list of requests tells secrets',
      rule: 'requests',
      test: WATCH,
      only: 'without secrets',
      find: '    .replace(IN_JSON, \'$1"***"\')',
      replace: '',
    },
  ]),
  ...inFile('sandbox/src/watch/expectation.ts', [
    {
      name: 'an expectation forgets what came before it',
      rule: 'expectations',
      test: WATCH,
      only: 'expectations wait',
      find: "from === undefined ? Infinity : kind === 'request' ? from - 1 : from;",
      replace: 'Infinity;',
    },
    {
      name: 'an expectation without time waits for somebody to move it',
      rule: 'expectations',
      test: CONTRACT,
      only: 'an expectation that gives no time',
      find: 'if (withinMs === 0) giveUp();',
      replace: 'if (withinMs === 0) cancelTimer = clock.after(0, giveUp);',
    },
  ]),
  ...inFile('sandbox/src/watch/assertions.ts', [
    {
      name: 'an assertion names the last event that broke it',
      rule: 'assertions',
      test: WATCH,
      only: 'assertions stand until',
      find: 'if (isTrue !== undefined && isTrue !== isWanted) assertion.brokenBy ??= event;',
      replace: 'if (isTrue !== undefined && isTrue !== isWanted) assertion.brokenBy = event;',
    },
  ]),
];
