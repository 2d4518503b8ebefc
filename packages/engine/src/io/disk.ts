/**
 * The disk operations that the engine needs, and no others, so that a simulated disk can make each of them fail.
 * Paths are absolute or relative to the working directory, as given by the caller. Failures are Node's own errors,
 * with `code`.
 *
 * Writing and truncating are synchronous, into the page cache: a trip to the thread pool costs more than the call.
 * Only operations that may wait for the device are asynchronous.
 */

export interface Disk {
  /** Creates the directory and its parents, durably; succeeds if it exists. */
  makeDirectory(path: string): Promise<void>;
  /** Names in the directory, sorted; empty if the directory does not exist. */
  list(path: string): Promise<string[]>;
  /** 'read' for reading only; 'write' for both; 'create' for both, and creates the file, which must not exist. */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<DiskFile>;
  /** Replaces an existing file of the new name. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in the directory durable. */
  syncDirectory(path: string): Promise<void>;
}

export interface DiskFile {
  size(): Promise<number>;
  /** Reads up to `length` bytes at `position`; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Writes all of the bytes at `position`, or throws; then any prefix of them may have been written. */
  write(position: number, bytes: Uint8Array): void;
  truncate(size: number): void;
  /** Makes everything written before this call durable. After an error the state is unknown: never retry. */
  sync(): Promise<void>;
  /** The same, synchronously: for rare data that must not be visible before it is durable. */
  syncNow(): void;
  close(): Promise<void>;
}
