/** A disk that calls a hook before every operation; the hook may throw to fail it, or do something else. */

import type { Disk, DiskFile } from '../../engine/src/io/disk.ts';

export type DiskCall =
  | 'list'
  | 'open'
  | 'rename'
  | 'remove'
  | 'syncDirectory'
  | 'size'
  | 'read'
  | 'write'
  | 'truncate'
  | 'sync';

/** `write`, `truncate` and a sync at once do not wait for what it returns. */
export type DiskHook = (call: DiskCall, path: string) => unknown;

export class HookedDisk implements Disk {
  hook: DiskHook = () => undefined;
  /** Open files. */
  openFiles = 0;
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  makeDirectory(path: string): Promise<void> {
    return this.#disk.makeDirectory(path);
  }

  async list(path: string): Promise<string[]> {
    await this.hook('list', path);
    return this.#disk.list(path);
  }

  async open(path: string, mode: 'read' | 'write' | 'create'): Promise<DiskFile> {
    await this.hook('open', path);
    const file = await this.#disk.open(path, mode);
    this.openFiles += 1;
    return this.#file(path, file);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.hook('rename', to);
    return this.#disk.rename(from, to);
  }

  async remove(path: string): Promise<void> {
    await this.hook('remove', path);
    return this.#disk.remove(path);
  }

  async syncDirectory(path: string): Promise<void> {
    await this.hook('syncDirectory', path);
    return this.#disk.syncDirectory(path);
  }

  #file(path: string, file: DiskFile): DiskFile {
    return {
      size: async () => {
        await this.hook('size', path);
        return file.size();
      },
      read: async (position, length) => {
        await this.hook('read', path);
        return file.read(position, length);
      },
      write: (position, bytes) => {
        this.hook('write', path);
        file.write(position, bytes);
      },
      truncate: (size) => {
        this.hook('truncate', path);
        file.truncate(size);
      },
      sync: async () => {
        await this.hook('sync', path);
        return file.sync();
      },
      syncNow: () => {
        this.hook('sync', path);
        file.syncNow();
      },
      close: () => {
        this.openFiles -= 1;
        return file.close();
      },
    };
  }
}

export function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: injected failure`), { code });
}
