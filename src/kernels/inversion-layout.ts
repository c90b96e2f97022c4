/** The layout of sorted tokens, and of the impacts of the term that is written. */

/** A sorted token: its row, and its position with the field in the highest 8 bits, 4 bytes each. */
export const TOKEN_BYTES: usize = 8;
export const FIELD_SHIFT: u32 = 24;
export const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;
/** An entry of `impacts` is impact | mask << `MASK_SHIFT`. */
export const MASK_SHIFT: u32 = 8;
