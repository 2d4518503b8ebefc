/** The self-test of Node's undocumented members: passes here, and notices when a member works differently. */

import assert from 'node:assert/strict';
import { OutgoingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';

type Internals = typeof import('../../src/sockets/node-internals.ts');

const MODULE = new URL('../../src/sockets/node-internals.ts', import.meta.url).href;

/** A new instance of the module, as in a process that has just started. */
const fresh = (name: string): Promise<Internals> => import(`${MODULE}?${name}`) as Promise<Internals>;

describe("the self-test of Node's undocumented members", () => {
  test('passes on this release of Node', async () => {
    const internals = await fresh('unchanged');
    assert.equal(await internals.testNodeInternals(), null);
    assert.equal(internals.usesNodeInternals(), true);
  });

  const changed = (member: string, expected: RegExp, change: (context: TestContext) => void) =>
    test(`falls back to the public API if ${member} has changed`, async (context) => {
      const internals = await fresh(member);
      change(context);
      const fault = await internals.testNodeInternals();
      context.mock.restoreAll();
      assert.match(String(fault), expected);
      assert.equal(internals.usesNodeInternals(), false);
      assert.equal(internals.canSendWhole(new ServerResponse({ method: 'GET' } as never)), false);
    });

  const outgoing = OutgoingMessage.prototype as unknown as Record<'_writeRaw' | '_finish', () => unknown>;
  const fail = (): never => {
    throw new Error('not as it was');
  };
  changed('_writeRaw', /not as it was/, ({ mock }) => mock.method(outgoing, '_writeRaw', fail));
  changed('_finish', /not as it was/, ({ mock }) => mock.method(outgoing, '_finish', fail));
  changed('_read', /not as it was/, ({ mock }) => mock.method(Socket.prototype, '_read', fail));
  changed('the parser of a connection', /requestsWatched: 0 instead of 4/, (context) => {
    const descriptor = { configurable: true, get: () => undefined, set: () => undefined };
    Object.defineProperty(Socket.prototype, 'parser', descriptor);
    context.after(() => Reflect.deleteProperty(Socket.prototype, 'parser'));
  });
});
