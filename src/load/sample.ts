/** The first records of a file, from which its plan is made. */
import { isPlainObject } from './paths.js';

/** Records of a sample. */
export const SAMPLE_RECORDS = 1000;
/** Names of columns in a sample, and of members in its records: a file with ever new names has no columns. */
export const MAX_NAMES = 2000;

export interface SampleRecord {
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
}

/** The objects among some values, as records. Members past the first 2,000 of a record are dropped. */
export const sampleOf = (values: readonly unknown[]): readonly SampleRecord[] =>
  values.filter(isPlainObject).map((value) => {
    const names = Object.keys(value).slice(0, MAX_NAMES);
    return { names, cells: names.map((name) => value[name]) };
  });
