/** Memory and modules of WebAssembly. The kernels' sources are in `kernels/`. */

/** The part of the engine's interface that is used; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Memory: {
    new (pages: { readonly initial: number }): WasmMemory;
    new (pages: { readonly initial: number; readonly maximum: number; readonly shared: true }): SharedWasmMemory;
  };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new <Exports>(module: object, imports: object) => { readonly exports: Exports };
};

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Detaches `buffer`. */
  grow(pages: number): number;
}

/** Memory that several threads can have at the same time. */
export interface SharedWasmMemory {
  /** The memory as this thread sees it: shorter than it is if another thread has just grown it. */
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export const MEMORY_PAGE_BYTES = 65_536;
/** The greatest size of a WebAssembly memory. */
export const MAX_MEMORY_PAGES = 65_536;

const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / MEMORY_PAGE_BYTES));

export const createMemory = (bytes: number): WasmMemory => new WebAssembly.Memory({ initial: pagesOf(bytes) });

/** Shared memory, which can grow to the greatest size. Pages that were never written to take no room. */
export const createSharedMemory = (bytes = 0): SharedWasmMemory =>
  new WebAssembly.Memory({ initial: pagesOf(bytes), maximum: MAX_MEMORY_PAGES, shared: true });

/** Grows a memory by `pages`; returns its number of pages before, or undefined if the system refuses. */
export function growMemory(memory: WasmMemory | SharedWasmMemory, pages: number): number | undefined {
  try {
    return memory.grow(pages);
  } catch {
    return undefined;
  }
}

const modules = new WeakMap<Uint8Array, object>();

/** The functions of a compiled kernel, which work in `memory`. A module is compiled by the engine once a thread. */
export function instantiate<Exports>(bytes: Uint8Array, memory: WasmMemory | SharedWasmMemory): Exports {
  const module = modules.get(bytes) ?? new WebAssembly.Module(bytes);
  modules.set(bytes, module);
  return new WebAssembly.Instance<Exports>(module, { env: { memory } }).exports;
}
