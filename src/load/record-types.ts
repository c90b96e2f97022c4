/**
 * Types of records, as JSON-LD has them: `"@type": "Product"`. Pages that are scraped for their products hold breadcrumbs and
 * organisations as well: of a file with records of the collection's types, those of any other type are left out.
 */
import type { CollectionModel } from '../model.js';
import type { SampleRecord } from './sample.js';

export const TYPE_NAME = '@type';

export interface RecordTypes {
  /** The type of a record that is left out; undefined where it is wanted, or has none. */
  readonly otherType: (type: unknown) => string | undefined;
}

/** Undefined where no record of the sample has a type of the collection. */
export function recordTypes({ types }: CollectionModel, sample: readonly SampleRecord[]): RecordTypes | undefined {
  const wanted = new Set(types);
  const otherType = (type: unknown): string | undefined => {
    const names = [type].flat().filter((name) => typeof name === 'string');
    return names.length === 0 || names.some((name) => wanted.has(shortName(name))) ? undefined : names.join(', ');
  };
  const isWanted = (type: unknown): boolean => type !== undefined && type !== null && otherType(type) === undefined;
  return sample.some((record) => isWanted(typeOf(record))) ? { otherType } : undefined;
}

/** The records of a sample that are not left out. */
export function wantedOf(
  model: CollectionModel,
  sample: readonly SampleRecord[],
  types = recordTypes(model, sample),
): readonly SampleRecord[] {
  return types ? sample.filter((record) => types.otherType(typeOf(record)) === undefined) : sample;
}

const typeOf = ({ names, cells }: SampleRecord): unknown => cells[names.indexOf(TYPE_NAME)];

/** `Product` of `https://schema.org/Product` and of `schema:Product`. */
const shortName = (type: string): string => type.split(/[/:#]/).at(-1) ?? '';
