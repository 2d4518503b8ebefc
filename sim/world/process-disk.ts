/**
 * The lossy disk as one simulated process sees it: some calls are delayed, so that a crash can come between any two
 * of them. It checks promise 3: once the sync of a log file has failed, this process must not write or sync anything
 * in the log. After a failed sync of the log directory, a segment that is being created may still be completed.
 */

import type { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import type { Disk, DiskFile } from '../../packages/engine/src/io/disk.ts';
import { Violation } from '../checkers/violation.ts';

export class ProcessDisk implements Disk {
  /** The number of failed syncs of any file. */
  syncsFailed = 0;
  writesFailed = 0;
  /** A sync of the log or its directory has failed. */
  isLogLost = false;
  /** The process has ended; any further call comes from a leaked task. */
  isOver = false;
  /** Recorded as well as thrown, because the caller may treat it as a disk error. */
  violation: Violation | null = null;
  #isFileLost = false;
  readonly #disk: LossyDisk;
  readonly #logDir: string;
  readonly #pause: () => Promise<void>;

  /** Awaits `pause` before calls that need not wait for the device. */
  constructor(disk: LossyDisk, logDir: string, pause: () => Promise<void>) {
    this.#disk = disk;
    this.#logDir = logDir;
    this.#pause = pause;
  }

  makeDirectory(path: string): Promise<void> {
    return this.#disk.makeDirectory(path);
  }

  async list(path: string): Promise<string[]> {
    await this.#pause();
    return this.#disk.list(path);
  }

  async open(path: string, mode: 'read' | 'write' | 'create'): Promise<DiskFile> {
    await this.#pause();
    this.#check(path, mode === 'create');
    return this.#file(path, await this.#disk.open(path, mode));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#pause();
    this.#check(to, true);
    return this.#disk.rename(from, to);
  }

  async remove(path: string): Promise<void> {
    await this.#pause();
    this.#check(path, false);
    return this.#disk.remove(path);
  }

  syncDirectory(path: string): Promise<void> {
    this.#check(`${path}/`, true);
    return this.#noting(`${path}/`, this.#disk.syncDirectory(path));
  }

  #file(path: string, file: DiskFile): DiskFile {
    return {
      size: () => file.size(),
      read: async (position, length) => {
        await this.#pause();
        return file.read(position, length);
      },
      write: (position, bytes) => {
        this.#check(path, true);
        this.#write(file, position, bytes);
      },
      truncate: (size) => {
        this.#check(path, true);
        file.truncate(size);
      },
      sync: () => {
        this.#check(path, true);
        return this.#noting(path, file.sync());
      },
      syncNow: () => {
        this.#check(path, true);
        try {
          file.syncNow();
        } catch (error) {
          this.#note(path);
          throw error;
        }
      },
      close: () => file.close(),
    };
  }

  #write(file: DiskFile, position: number, bytes: Uint8Array): void {
    try {
      file.write(position, bytes);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'EIO') this.writesFailed += 1;
      throw error;
    }
  }

  async #noting(path: string, syncing: Promise<void>): Promise<void> {
    try {
      await syncing;
    } catch (error) {
      this.#note(path);
      throw error;
    }
  }

  #note(path: string): void {
    this.syncsFailed += 1;
    if (path.startsWith(this.#logDir)) this.isLogLost = true;
    if (path.startsWith(this.#logDir) && path !== this.#logDir) this.#isFileLost = true;
  }

  #check(path: string, isChange: boolean): void {
    if (this.isOver) this.#violated(`a process that has ended touches nothing: ${path}`);
    if (isChange && this.#isFileLost && path.startsWith(this.#logDir)) {
      this.#violated(`after a failed sync the log is left alone (promise 3): ${path}`);
    }
  }

  #violated(what: string): never {
    this.violation ??= new Violation(what);
    throw this.violation;
  }
}

/** Pending device calls. They complete one by one, in the order the world draws, or never if the power fails. */
export class Device {
  #waiting: (() => void)[] = [];

  readonly wait = (): Promise<void> => new Promise((resolve) => this.#waiting.push(resolve));

  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  endOne(random: Random): void {
    const [end] = this.#waiting.splice(random.below(this.#waiting.length), 1);
    end?.();
  }

  endAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const end of waiting) end();
  }

  /** Drops pending calls, which never complete. */
  forget(): void {
    this.#waiting = [];
  }
}

/** Runs everything that is ready and does not wait for the device. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
