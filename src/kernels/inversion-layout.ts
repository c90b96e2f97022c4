/** The layout of sorted tokens, of the impacts of the term that is written, and of dense terms. */

/** A sorted token: its row, and its position with the field in the highest 8 bits, 4 bytes each. */
export const TOKEN_BYTES: usize = 8;
export const FIELD_SHIFT: u32 = 24;
export const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;
/** An entry of `impacts` is impact | mask << `MASK_SHIFT`. */
export const MASK_SHIFT: u32 = 8;

/** The bytes of a dense term's impacts, one for each row: kernels read 16 at a time. Its bitmap stands behind them. */
export function impactBytes(rows: u32): u32 {
  return (rows + 31) & ~31;
}
/** The bytes of a dense term: impacts and bitmap. */
export function denseBytes(rows: u32): u32 {
  return impactBytes(rows) + (impactBytes(rows) >> 3);
}
