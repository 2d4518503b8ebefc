/** npm run sim -- log-damage [--all] [--seed N]: damages logs in every way; without --all one place in eight. */

import { cutEverywhere, flipEverywhere, shuffleSegments, writeLog } from './damage.ts';

const RECORDS = 200;
/** Larger than the log. */
const ONE_SEGMENT_BYTES = 1 << 26;

const args = process.argv.slice(2);
const seedAt = args.indexOf('--seed');
const seed = seedAt < 0 ? 1 : Number(args[seedAt + 1]);
const isAll = args.includes('--all');
/** The step in bits has no common factor with 8, so that every place in a byte is met. */
const [byteStep, bitStep] = isAll ? [1, 1] : [8, 9];

const say = (what: string, report: object) => console.log(`${what} ${JSON.stringify(report)}`);

const left = await writeLog(seed, RECORDS, ONE_SEGMENT_BYTES, true);
say('cut', await cutEverywhere(left, byteStep));
if (isAll) say('flipped-one-segment', await flipEverywhere(left, bitStep));
const short = await writeLog(seed, 10, ONE_SEGMENT_BYTES, true);
say('flipped-with-room', await flipEverywhere(short, bitStep));
const many = await writeLog(seed, RECORDS, 3000, false);
say('flipped', await flipEverywhere(many, bitStep));
say('segments', await shuffleSegments(many));
