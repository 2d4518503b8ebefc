/** The contract of every store of people's keys. */

import assert from 'node:assert/strict';

interface KeyStore {
  find(person: string): Promise<string | null>;
  add(person: string, wrapped: string): Promise<void>;
  remove(person: string): Promise<void>;
}

/** `open` opens the same store again, as after a restart or at another node. */
export async function checkKeyStore(store: KeyStore, open: () => Promise<KeyStore>): Promise<void> {
  assert.equal(await store.find('p-1'), null);
  await Promise.all(['p-1', 'p-2', 'p-3'].map((person) => store.add(person, `key-of-${person}`)));
  const other = await open();
  for (const each of [store, other]) assert.equal(await each.find('p-2'), 'key-of-p-2');
  await Promise.all([store.remove('p-2'), store.remove('p-2'), store.add('p-4', 'key-of-p-4')]);
  await store.remove('p-nobody');
  const third = await open();
  assert.deepEqual(await Promise.all(['p-1', 'p-2', 'p-3', 'p-4'].map((person) => third.find(person))), [
    'key-of-p-1',
    null,
    'key-of-p-3',
    'key-of-p-4',
  ]);
}
