/** Tests that take long have two sizes: `npm test` runs the short one, `npm run test:long` and `npm run test:all` the long one. */

export const isLongRun = process.env['TEST_SIZE'] === 'long';

/** The `skip` of a test that the short run leaves out. */
export const inLongRunOnly: string | false = !isLongRun && 'in the long run';

export function ofSize<T>(short: T, long: T): T {
  return isLongRun ? long : short;
}

/** Which share of a list is tried: counting up from 0 eventually tries all of it. */
const ROUND = Number(process.env['TEST_ROUND'] ?? 0);

/** Selects one in `oneOf` members of a list that takes too long as a whole. */
export function shareOf<T>(list: readonly T[], oneOf: number): T[] {
  return list.filter((_, index) => index % oneOf === ROUND % oneOf);
}
