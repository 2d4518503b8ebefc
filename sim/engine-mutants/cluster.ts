/** Mutants of the cluster: the fence, what is answered when, who leads, whose a command is. */

import { type EngineMutant, inFile } from './mutant.ts';

const SIMULATED = 'sim/cluster/cluster.test.ts';
const DIGESTS = 'packages/cluster/test/digests.test.ts';
const LEADING = 'packages/cluster/test/leading.test.ts';
const PLACES = 'packages/cluster/test/record-places.test.ts';
const PARCELS = 'packages/cluster/test/parcels.test.ts';
const WAITING = 'packages/cluster/test/waiting-commands.test.ts';
const OWN_CLOCK = 'packages/cluster/test/own-clock.test.ts';
const PRESENCE = 'packages/cluster/test/presence.test.ts';
const NODES = 'packages/bourse/test/cluster/nodes.test.ts';
const ANSWERS = 'packages/cluster/test/log-answers.test.ts';
const STREAM_LOG = 'packages/cluster/test/jetstream-log.test.ts';

const simulated = (
  file: string,
  mutants: readonly Omit<EngineMutant, 'file' | 'test' | 'rule'>[],
): EngineMutant[] =>
  inFile(
    `cluster/src/${file}`,
    mutants.map((mutant) => ({ ...mutant, rule: 'cluster', test: SIMULATED })),
  );

export const CLUSTER: readonly EngineMutant[] = [
  ...simulated('stream/jetstream-log.ts', [
    {
      name: 'appends without the fence',
      find: 'this.#stream.append(kind, signed, this.#at)',
      replace: 'this.#stream.append(kind, signed, -1)',
    },
    {
      name: 'takes an append without an answer for done',
      find: "const placed = result === 'appended' ? candidate",
      replace: "const placed = result !== 'refused' ? candidate",
    },
    {
      name: 'takes a refused append for done',
      find: "const placed = result === 'appended' ? candidate",
      replace: "const placed = result === 'appended' || result === 'refused' ? candidate",
    },
    {
      name: 'does not look whose the next record is',
      find: 'if (placed === undefined) throw this.#refuse();\n    return placed;',
      replace: 'return placed ?? candidates[0];',
    },
    {
      name: 'takes the last record that was tried for the one that is there',
      find: 'if (placed === undefined) throw this.#refuse();\n    return placed;',
      replace: 'if (placed === undefined) throw this.#refuse();\n    return candidates.at(-1);',
    },
    {
      name: 'a record is tried for however long its append takes',
      only: 'nothing is done after its caller was refused',
      find: '() => this.#clock.machine.elapsed() > until',
      replace: '() => until < 0',
    },
  ]),
  ...simulated('log-turns.ts', [
    {
      name: 'answers before the append is acknowledged',
      find: '      await appending.durable;\n      placed = appending.placed();\n',
      replace:
        '      appending.durable.catch(() => undefined);\n' +
        '      placed = { bytes: new Uint8Array(), message: { record, tags } };\n',
    },
  ]),
  ...simulated('waiting-commands.ts', [
    {
      name: 'answers commands of other processes that have the same number',
      find: 'if (run === ownRun) this.#answer(',
      replace: 'if (run !== "") this.#answer(',
    },
    {
      name: 'sends an order that is being carried out to the next leader',
      only: 'order that goes over many records',
      find: '.filter(({ id }) => !begun.has(id))',
      replace: '.filter(({ id }) => id > 0 || !begun.has(id))',
    },
  ]),
  ...simulated('messages/command-courier.ts', [
    {
      name: 'forgets what the leader before had not appended',
      only: 'a leader dies with the commands of other nodes',
      find: 'this.#unsent = [...commands];',
      replace: 'this.#unsent = [];',
    },
  ]),
  ...simulated('leadership/leadership.ts', [
    {
      name: 'whoever lost the lead goes on collecting',
      find: '      this.#leading = null;\n',
      replace: '',
    },
    {
      name: 'all commands of a caller that waits are sent again whenever a record comes',
      find: 'if (writer.run === run && writer.term === term) return false;',
      replace: '',
    },
  ]),
  ...simulated('node-sequencer.ts', [
    {
      name: 'nobody takes over',
      only: 'a leader dies with the commands of other nodes',
      find: '(!this.#mustLead && !isTakeoverDue(silence))',
      replace: '(!this.#mustLead && !silence.hasNoLeader)',
    },
    {
      name: 'argues with a node that has stopped',
      only: 'a node that has stopped goes on announcing',
      find: "said.state !== 'stopped' && ",
      replace: '',
    },
  ]),
  ...simulated('leadership/leading.ts', [
    {
      name: 'a record is tried after the first of its callers has a response',
      find: 'Math.min(...batch.waiters.map((each) => each.until))',
      replace: 'Math.max(...batch.waiters.map((each) => each.until))',
    },
    {
      name: 'takes commands that are past their deadline',
      only: 'nothing is done after its caller was refused',
      find: 'until < now',
      replace: 'until < 0',
    },
  ]),
  ...inFile('cluster/src/leadership/clock-watch.ts', [
    {
      name: 'a node alone leads with a clock behind the log',
      rule: 'cluster',
      test: 'sim/cluster/clocks.test.ts',
      find: '(this.#isBehindLog && !this.#isAccepted)',
      replace: 'false',
    },
  ]),
  ...inFile('cluster/src/waiting-commands.ts', [
    {
      name: 'says that nothing was done of what is under way',
      rule: 'cluster',
      test: WAITING,
      find: "waiting.isUnderWay ? 'unanswered' : 'no-leader'",
      replace: "'no-leader'",
    },
  ]),
  ...inFile('cluster/src/leadership/leading.ts', [
    {
      name: 'forgets commands that wait for an order',
      rule: 'cluster',
      test: LEADING,
      find: '    this.#queue.putBack(batch, waits);\n',
      replace: '',
    },
  ]),
  ...inFile('cluster/src/messages/command-courier.ts', [
    {
      name: 'sends nothing again',
      rule: 'cluster',
      test: PARCELS,
      find: 'if (parcel.sentAt <= now - AGAIN_MS) this.#send(parcel);',
      replace: 'if (parcel.sentAt < 0) this.#send(parcel);',
    },
  ]),
  ...inFile('cluster/src/states/state-digest.ts', [
    {
      name: 'does not compare states',
      rule: 'cluster',
      test: DIGESTS,
      find: 'if (this.#isKnown) return this.#own === writers;',
      replace: 'if (this.#isKnown) return true;',
    },
  ]),
  ...inFile('cluster/src/messages/command-intake.ts', [
    {
      name: 'takes a parcel of another term',
      rule: 'cluster',
      test: PARCELS,
      find: 'if (term !== this.#term) return [];',
      replace: '',
    },
    {
      name: 'takes a parcel twice',
      rule: 'cluster',
      test: PARCELS,
      find: 'if (number <= taken.through || taken.beyond.has(number)) return [];',
      replace: '',
    },
  ]),
  ...inFile('cluster/src/stream/jetstream-log.ts', [
    {
      name: 'full after an unknown attempt',
      rule: 'cluster',
      test: STREAM_LOG,
      find: "if (result === 'full' && isFirst) {",
      replace: "if (result === 'full') {",
    },
  ]),
  ...inFile('cluster/src/stream/nats-stream.ts', [
    {
      name: 'believes a log server that has no leader',
      rule: 'cluster',
      test: ANSWERS,
      find: 'return Boolean(leader) && 1 + heard',
      replace: 'return 1 + heard',
    },
    {
      name: 'takes a log server that was never heard for one that was heard just now',
      rule: 'cluster',
      test: ANSWERS,
      find: 'active > 0 && active <= HEARD_NS_MAX',
      replace: 'active <= HEARD_NS_MAX',
    },
    {
      name: 'takes a log server that was heard long ago for one that follows',
      rule: 'cluster',
      test: ANSWERS,
      find: 'active > 0 && active <= HEARD_NS_MAX',
      replace: 'active > 0',
    },
  ]),
  ...inFile('cluster/src/leadership/presence.ts', [
    {
      name: 'new rules too early: who has just begun to listen believes to be alone',
      rule: 'cluster',
      test: PRESENCE,
      find: 'const isNew = last > 0 && this.#clock.elapsed() - this.#startedAt < GONE_MS;',
      replace: 'const isNew = false;',
    },
    {
      name: 'new rules too early: those who do not know them are not asked',
      rule: 'cluster',
      test: PRESENCE,
      find: 'Math.max(last, Math.min(...known.map(({ rules }) => rules)))',
      replace: 'Math.max(last, this.#identity.rules)',
    },
    {
      name: 'new rules too early: what the last record says of a node that is away is not looked at',
      rule: 'cluster',
      test: PRESENCE,
      find: 'if (node.at >= since) known.set(name, node.rules);',
      replace: ';',
    },
    {
      name: 'new rules never: a node that is gone for good is named for ever',
      rule: 'cluster',
      test: PRESENCE,
      find: 'before?.rules === rules ? before : { rules, at }',
      replace: '{ rules, at }',
    },
  ]),
  ...inFile('cluster/src/leadership/own-clock.ts', [
    {
      name: 'a new leader believes a clock that has jumped while another one led',
      rule: 'cluster',
      test: OWN_CLOCK,
      find: 'Math.max(this.look(), this.#aheadMs())',
      replace: 'this.#aheadMs()',
    },
    {
      name: "a new leader believes a clock that is far ahead of most others'",
      rule: 'cluster',
      test: OWN_CLOCK,
      find: 'Math.max(this.look(), this.#aheadMs())',
      replace: 'this.look()',
    },
  ]),
  ...inFile('cluster/src/states/dispute.ts', [
    {
      name: 'does not compare snapshots',
      rule: 'cluster',
      test: DIGESTS,
      find: "const isAtHand = of === 'records' || this.#snapshots.has(seq);",
      replace: "const isAtHand = of === 'records';",
    },
    {
      name: 'compares snapshots of different formats',
      rule: 'cluster',
      test: DIGESTS,
      find: 'if (isAtHand && digest !== own && isComparable(digest, own)) this.#begin(',
      replace: 'if (isAtHand && digest !== own) this.#begin(',
    },
  ]),
  ...inFile('cluster/src/states/versioned-digest.ts', [
    {
      name: 'compares digests of builds with different layouts',
      rule: 'cluster',
      test: DIGESTS,
      find: 'versionOf(one) === versionOf(other)',
      replace: "one !== ''",
    },
  ]),
  ...inFile('cluster/src/log-position.ts', [
    {
      name: 'reads are stale: nobody waits for the record that was asked for',
      rule: 'cluster',
      test: NODES,
      only: 'one exchange',
      find: 'if (seq <= this.seq) return true;',
      replace: 'if (seq >= 0) return true;',
    },
  ]),
  ...inFile('bourse/src/startup/node-snapshots.ts', [
    {
      name: 'a node joins with a snapshot under the sequence of another',
      rule: 'cluster',
      test: NODES,
      only: 'a new node begins',
      find: 'await store.get(seq, filesIn(dir, seq));',
      replace: 'await store.get(seq, filesIn(dir, seq - 1));',
    },
  ]),
  ...inFile('cluster/src/stream/record-places.ts', [
    {
      name: 'reads records that were set aside',
      rule: 'cluster',
      test: PLACES,
      find: 'this.#stretches.push({ seq, at: at + 1 });',
      replace: 'this.#stretches.push({ seq: seq + 1, at: at + 1 });',
    },
    {
      name: 'counts records from 1 where the word that one was set aside has been given up',
      rule: 'cluster',
      test: PLACES,
      find: "first > 1 ? await findOpened(stream, 'record', first, mac) : null",
      replace: 'first > 0 ? null : null',
    },
  ]),
];
