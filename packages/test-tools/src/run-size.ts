/** Tests that take long have two sizes: `npm test` runs the short one, `npm run test:long` the long one. */

export const isLongRun = process.env['TEST_SIZE'] === 'long';

export function ofSize<T>(short: T, long: T): T {
  return isLongRun ? long : short;
}
