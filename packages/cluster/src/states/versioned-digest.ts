/**
 * A digest with the version of what it is over, as `3-0123...`: of how the core lays out its rows, or of the format of
 * snapshots. Two builds may come to the same state and to different digests of it, so only those of one version can be
 * compared. In an upgrade, node by node, there are two for a while.
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
