import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { HistoryFull } from '../../src/history/history.ts';
import { historyContract, type OpenHistory } from '../contracts/history-contract.ts';
import { recordsOf } from './history-world.ts';

function around(history: MemoryHistory): OpenHistory {
  return { writer: history, reader: history, reopen: () => around(history), dispose: () => undefined };
}

historyContract('in memory', () => around(new MemoryHistory()));

it('an injected fault leaves nothing of the records behind', () => {
  const history = new MemoryHistory();
  const records = recordsOf(5, 200);
  history.write(records.slice(0, 100));
  const rows = history.entries.length;
  history.fault = () => {
    throw new HistoryFull('no room');
  };
  assert.throws(() => history.write(records), HistoryFull);
  assert.deepEqual([history.checkpoint, history.entries.length], [100, rows]);
  history.fault = () => undefined;
  history.write(records);
  assert.equal(history.checkpoint, 200);
});
