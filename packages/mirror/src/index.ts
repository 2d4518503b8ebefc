/** The public interface of the mirror. */

export { DirectorySource, type MirrorSource } from './mirror-source.ts';
export { Mirror } from './mirror.ts';
export { checkDatabaseUrl } from './postgres-errors.ts';
export { PostgresStore } from './postgres-store.ts';
