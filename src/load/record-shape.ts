/** What `record-kernel.ts` finds in its memory when it reads records of a shape. */
import type { WasmMemory } from '../wasm.js';
import {
  BATCH,
  CODE,
  COLUMN,
  LENGTH,
  MASK_OF_REST,
  MASKED_BYTES,
  MASKS,
  MOST_DIGITS,
  MOST_NAME_BYTES,
  NAME_BYTES,
  NAMES,
  POWERS_OF_TEN,
  QUOTED,
} from './record-kernel.js';

/** Writes the powers of ten that decimals are divided by. */
export function writePowers({ buffer }: WasmMemory): void {
  const powers = new Float64Array(buffer, POWERS_OF_TEN, MOST_DIGITS + 1);
  for (let i = 0; i < powers.length; i++) powers[i] = 10 ** i;
}

/** Writes a name of the shape. */
export function writeName(memory: WasmMemory, index: number, quoted: Uint8Array, field: number, code: number): void {
  const address = NAMES + index * NAME_BYTES;
  const view = new DataView(memory.buffer, address, NAME_BYTES);
  const mask = (length: number): number => 2 ** Math.min(MASKED_BYTES, Math.max(0, length)) - 1;
  view.setUint32(LENGTH, quoted.length, true);
  view.setUint32(COLUMN, Math.max(0, field) * BATCH, true);
  view.setUint32(CODE, code, true);
  view.setUint32(MASKS, mask(quoted.length), true);
  view.setUint32(MASK_OF_REST, mask(quoted.length - MASKED_BYTES), true);
  new Uint8Array(memory.buffer, address + QUOTED, MOST_NAME_BYTES).set(quoted);
}
