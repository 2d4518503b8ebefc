/**
 * The disk operations that the engine needs, and no others, so that a simulated disk can make each of
 * them fail. Paths are absolute or relative to the working directory, as the caller made them. Failures are Node's own
 * errors, with `code`.
 *
 * Writing and truncating are synchronous, into the page cache: a trip to the thread pool costs more than the call. Only
 * operations that may wait for the device are asynchronous.
 */

export interface Disk {
  /** Makes the directory and those above it, durably; content if it is there. */
  makeDirectory(path: string): Promise<void>;
  /** Names in the directory, sorted; empty if there is no such directory. */
  list(path: string): Promise<string[]>;
  /** 'read' for reading only; 'write' for both; 'create' for both, and makes the file, which must not be there. */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<DiskFile>;
  /** Replaces a file that has the new name. */
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
  /** Makes everything written before this call durable. After an error nothing is known: never retry. */
  sync(): Promise<void>;
  /** The same, synchronously: for rare data that must not be visible before it is durable. */
  syncNow(): void;
  close(): Promise<void>;
}
