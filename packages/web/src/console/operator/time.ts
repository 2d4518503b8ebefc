/** Times as operators compare them with their logs: UTC, to the millisecond. */

export function timeOf(time: number | string): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
