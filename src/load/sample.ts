/** The first records of a file, of which its plan is made. */
import { isPlainObject } from './paths.js';

/** A plan is made of so many records at most. */
export const SAMPLE_RECORDS = 1000;
/** Of so many names at most: a file with ever new names has no columns. */
export const MAX_NAMES = 2000;

export interface SampleRecord {
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
}

/** The objects among some values, as records; one of more names than these is no record that could be told by them. */
export const sampleOf = (values: readonly unknown[]): readonly SampleRecord[] =>
  values.filter(isPlainObject).map((value) => {
    const names = Object.keys(value).slice(0, MAX_NAMES);
    return { names, cells: names.map((name) => value[name]) };
  });
