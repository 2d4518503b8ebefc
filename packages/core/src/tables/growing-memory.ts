/**
 * Memory for a table that grows in place. Copying an array to one of twice the size blocks the exchange: half a second and
 * more at a million orders. WebAssembly memory reserves addresses and maps pages on demand, so growing costs the same at
 * any size, and arrays over it are as fast as any other.
 *
 * It is declared as shared, although no threads share it: growing shared memory detaches no buffer. Once any buffer of the
 * process is detached, V8 checks every access, which costs a tenth of the speed. (V8 reads a resizable ArrayBuffer at half
 * the speed.)
 */

interface PagedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/** Every JavaScript engine has WebAssembly, but the core is compiled with only the types of the language standard. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => PagedMemory;
};

const PAGE_BYTES = 65_536;
/** 4 GiB. For any size up to that V8 reserves 8 GiB of addresses, which cost nothing until they are used. */
const PAGES_MAX = 65_536;

export class GrowingMemory {
  readonly #memory: PagedMemory;

  constructor(bytes: number) {
    const initial = Math.ceil(bytes / PAGE_BYTES);
    this.#memory = new WebAssembly.Memory({ initial, maximum: PAGES_MAX, shared: true });
  }

  /** Zero-filled. After growing, arrays over the earlier buffer still show the same memory, without the new part. */
  get buffer(): SharedArrayBuffer {
    return this.#memory.buffer;
  }

  /** Throws a RangeError beyond the maximum. */
  double(): void {
    this.#memory.grow(this.#memory.buffer.byteLength / PAGE_BYTES);
  }
}
