/** Memory and modules of WebAssembly. The kernels' sources are in `kernels/`. */
export const MEMORY_PAGE_BYTES = 65_536;
/** No memory has more. */
export const MOST_PAGES = 65_536;
export const createMemory = (bytes) => new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / MEMORY_PAGE_BYTES)) });
/** It can grow to as much as any memory can have; what was never written to takes no room. */
export const createSharedMemory = () => new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
/** Whether a memory could be given so many more pages. */
export function growMemory(memory, pages) {
    try {
        memory.grow(pages);
        return true;
    }
    catch {
        return false;
    }
}
const modules = new WeakMap();
/** The functions of a compiled kernel, which work in `memory`. A module is compiled by the engine once a thread. */
export function instantiate(bytes, memory) {
    const module = modules.get(bytes) ?? new WebAssembly.Module(bytes);
    modules.set(bytes, module);
    return new WebAssembly.Instance(module, { env: { memory } }).exports;
}
