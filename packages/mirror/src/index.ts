/** The public interface of the mirror. */

export { DirectorySource, Mirror, type MirrorSource } from './mirror.ts';
export { checkDatabaseUrl } from './postgres-connection.ts';
export { PostgresStore } from './postgres-store.ts';
