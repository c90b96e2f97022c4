/**
 * The first records of a file, from which its plan is made; their language; and their types, as JSON-LD has them: `"@type": "Product"`.
 * Pages that are scraped for their products hold breadcrumbs and organisations as well. In a file with records of the collection's
 * types, records of any other type are left out.
 */

import { type Language, languageOf } from '../../languages.js';
import type { CollectionModel } from '../../model.js';
import { collectionVocabulary } from '../fields/vocabulary.js';
import { isPlainObject } from '../values/paths.js';

/** Records of a sample. */
export const SAMPLE_RECORDS = 1000;
/** Names of columns in a sample, and of members in its records: a file with ever new names has no columns. */
export const MAX_NAMES = 2000;

export interface SampleRecord {
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
}

/**
 * The same function, which computes its fact once for each list of values. A file is planned several times, as articles, as products, as a
 * collection of its own, and its lists are never written to.
 */
export function factOf<Value, Fact>(compute: (values: readonly Value[]) => Fact): (values: readonly Value[]) => Fact {
  const facts = new WeakMap<readonly Value[], { readonly fact: Fact }>();
  return (values) => {
    const entry = facts.get(values) ?? { fact: compute(values) };
    facts.set(values, entry);
    return entry.fact;
  };
}

/** The objects among some values, as records. Members past the first 2,000 of a record are dropped. */
export const sampleOf = factOf((values: readonly unknown[]): readonly SampleRecord[] => {
  const sharedNames = createNameSharing();
  return values.filter(isPlainObject).map((value) => {
    const names = sharedNames(Object.keys(value).slice(0, MAX_NAMES));
    return { names, cells: names.map((name) => value[name]) };
  });
});

/** Gives records of the same names, one after the other, the same array of them, so that their columns are found once. */
function createNameSharing(): (names: readonly string[]) => readonly string[] {
  let lastNames: readonly string[] = [];
  return (names) => {
    const areSame = names.length === lastNames.length && names.every((name, i) => name === lastNames[i]);
    if (!areSame) lastNames = names;
    return lastNames;
  };
}

export const TYPE_NAME = '@type';

export interface RecordTypes {
  /** The type of a record that is left out; undefined where it is wanted, or has none. */
  readonly otherType: (type: unknown) => string | undefined;
}

/** Undefined where no record of the sample has a type of the collection. */
export function recordTypes(model: CollectionModel, sample: readonly SampleRecord[]): RecordTypes | undefined {
  const wantedTypes = new Set(collectionVocabulary(model).types);
  const otherType = (type: unknown): string | undefined => {
    const names = [type].flat().filter((name) => typeof name === 'string');
    return names.length === 0 || names.some((name) => wantedTypes.has(shortName(name))) ? undefined : names.join(', ');
  };
  const isWanted = (type: unknown): boolean => type !== undefined && type !== null && otherType(type) === undefined;
  return sample.some((record) => isWanted(linkedDataType(record))) ? { otherType } : undefined;
}

/** The records of a sample that are not left out. */
export function wantedOf(
  model: CollectionModel,
  sample: readonly SampleRecord[],
  types = recordTypes(model, sample),
): readonly SampleRecord[] {
  return types ? sample.filter((record) => types.otherType(linkedDataType(record)) === undefined) : sample;
}

export const linkedDataType = ({ names, cells }: SampleRecord): unknown => cells[names.indexOf(TYPE_NAME)];

/** `Product` of `https://schema.org/Product` and of `schema:Product`. */
const shortName = (type: string): string => type.split(/[/:#]/).at(-1) ?? '';

/** Lists and objects inside of one another in which texts are looked for. */
const MAX_TEXT_DEPTH = 4;

/** The language of a collection's texts. Its files take turns, a record each, so that no file decides alone. */
export const sampledLanguage = (samples: readonly (readonly SampleRecord[])[]): Language =>
  languageOf(sampledTexts(samples));

function* sampledTexts(samples: readonly (readonly SampleRecord[])[]): Iterable<string> {
  const longest = Math.max(0, ...samples.map((sample) => sample.length));
  for (let i = 0; i < longest; i++)
    for (const sample of samples) yield* proseIn(sample[i]?.cells ?? [], MAX_TEXT_DEPTH);
}

/** Texts of several words, however deep: an address or a code has no language. */
function* proseIn(value: unknown, depth: number): Iterable<string> {
  if (typeof value === 'string') {
    if (value.includes(' ')) yield value;
  } else if (depth > 0 && Array.isArray(value)) for (const one of value) yield* proseIn(one, depth - 1);
  else if (depth > 0 && isPlainObject(value)) yield* proseIn(Object.values(value), depth - 1);
}
