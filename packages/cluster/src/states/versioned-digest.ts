/**
 * A digest with the version of what it covers, as `3-0123...`: the layout of the core's rows, or the snapshot format. Two
 * builds may have the same state and different digests, so only digests of one version can be compared. During a rolling
 * upgrade there are two versions.
 */

const MARK = '-';

export const versioned = (version: number, digest: string): string => `${version}${MARK}${digest}`;

export const withoutVersion = (text: string): string => text.slice(text.indexOf(MARK) + 1);

/** Whether a difference means that one of the two is wrong. */
export const isComparable = (one: string, other: string): boolean => versionOf(one) === versionOf(other);

function versionOf(text: string): string {
  const at = text.indexOf(MARK);
  return at < 0 ? '' : text.slice(0, at);
}
