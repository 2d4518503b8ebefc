/**
 * npm run sim -- log-damage [--one-of N] [--seed N]: damages logs at one in N positions (default 8); 1 is every byte
 * and bit.
 */

import { parseArgs } from 'node:util';
import { cutEverywhere, flipEverywhere, shuffleSegments, writeLog } from './damage.ts';

const RECORDS = 200;
/** Larger than the log. */
const ONE_SEGMENT_BYTES = 1 << 26;

const { values } = parseArgs({
  options: { 'one-of': { type: 'string', default: '8' }, seed: { type: 'string', default: '1' } },
});
const [seed, byteStep] = [Number(values.seed), Number(values['one-of'])];
/** Odd, so that it covers every bit position in a byte. */
const bitStep = byteStep | 1;

const say = (what: string, report: object) => console.log(`${what} ${JSON.stringify(report)}`);

const left = await writeLog(seed, RECORDS, ONE_SEGMENT_BYTES, true);
say('cut', await cutEverywhere(left, byteStep));
if (byteStep === 1) say('flipped-one-segment', await flipEverywhere(left, bitStep));
const short = await writeLog(seed, 10, ONE_SEGMENT_BYTES, true);
say('flipped-with-room', await flipEverywhere(short, bitStep));
const many = await writeLog(seed, RECORDS, 3000, false);
say('flipped', await flipEverywhere(many, bitStep));
say('segments', await shuffleSegments(many));
