/** The mirror as the packages above it see it. */

export { DirectorySource, type MirrorSource } from './mirror-source.ts';
export { Mirror } from './mirror.ts';
export { checkAddress } from './postgres-errors.ts';
export { PostgresStore } from './postgres-store.ts';
