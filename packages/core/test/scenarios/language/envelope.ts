/** Words before a command: `once=x until=5s`, `by=ann why='told so'`; whatever follows is the command. */

import type { Once } from '../../../src/commands/commands.ts';
import { toMs } from './numbers.ts';
import type { State } from './state.ts';
import { keyValue, type Words } from './text.ts';

export interface Envelope {
  readonly once?: Once;
  readonly by?: string;
  readonly why?: string;
}

const KEYS = ['once', 'until', 'by', 'why'];
const UNTIL = '5s';

export function takeEnvelope(words: Words, state: State): Envelope {
  const given = new Map<string, string>();
  for (let word = words.peek(); KEYS.includes(keyValue(word)[0]) && word.includes('='); word = words.peek()) {
    given.set(...keyValue(words.next('word')));
  }
  const [id, by, why] = [given.get('once'), given.get('by'), given.get('why')];
  return {
    ...(id === undefined ? {} : { once: { id, until: instant(state, given.get('until') ?? UNTIL) } }),
    ...(by === undefined ? {} : { by }),
    ...(why === undefined ? {} : { why }),
  };
}

/** `5s` from now, `-1ms` ago, or `#` and a raw number. */
function instant(state: State, text: string): number {
  if (text.startsWith('#')) return Number(text.slice(1));
  return text.startsWith('-') ? state.time - toMs(text.slice(1)) : state.time + toMs(text);
}
