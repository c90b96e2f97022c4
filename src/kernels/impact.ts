/** What a posting adds to its record's score, for each unit of its term's weight: the one place where BM25 saturates. */

/** As many steps as a byte has. */
const STEPS: f64 = 255;

/** f / (f + norm) in steps, 1 at least. */
export function impactOf(frequency: u32, norm: f64): u32 {
  return max(<u32>((STEPS * <f64>frequency) / (<f64>frequency + norm) + 0.5), 1);
}
