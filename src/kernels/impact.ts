/** The impact of a posting: BM25's saturation, f / (f + norm), in whole steps. No other place computes it. */

/** The greatest impact is the greatest byte. */
const STEPS: f64 = 255;

/** The impact f / (f + norm) in steps, at least 1. */
export function impactOf(frequency: u32, norm: f64): u32 {
  return max(<u32>((STEPS * <f64>frequency) / (<f64>frequency + norm) + 0.5), 1);
}
