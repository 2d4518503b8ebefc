/**
 * Memory for a table of rows that grows where it lies. An array that is copied to twice the room stops the exchange for
 * as long as that takes: half a second and more at a million orders. WebAssembly's memory reserves addresses and maps
 * pages when they are asked for, so growing costs the same at any size; arrays over it are as fast as any other.
 *
 * It is made as memory that threads may share, though none does: growing that detaches no buffer. Once any buffer of
 * the process is detached, V8 looks at every access whether this one is, which costs a tenth of the speed. (A resizable
 * ArrayBuffer would grow as well, but V8 reads it at half the speed.)
 */

interface PagedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/**
 * Every JavaScript engine has WebAssembly, but it is not part of the language standard, and the core is compiled with
 * the types of the standard alone.
 */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => PagedMemory;
};

const PAGE_BYTES = 65_536;
/** 4 GiB. For that and for less V8 reserves 8 GiB of addresses, which cost nothing until they are used. */
const PAGES_MAX = 65_536;

export class GrowingMemory {
  private readonly memory: PagedMemory;

  constructor(bytes: number) {
    const initial = Math.ceil(bytes / PAGE_BYTES);
    this.memory = new WebAssembly.Memory({ initial, maximum: PAGES_MAX, shared: true });
  }

  /**
   * Filled with zeros. After a growth, arrays over the earlier buffer still show the same memory, but not the new part.
   */
  get buffer(): SharedArrayBuffer {
    return this.memory.buffer;
  }

  /** Twice the room, or a RangeError where that would be too much. */
  double(): void {
    this.memory.grow(this.memory.buffer.byteLength / PAGE_BYTES);
  }
}
