/** The words of decisions about columns: a mapping, a source of a field and its rank, and what a plan has for all records of a file. */

import type { CollectionModel, Field } from '../../model.js';
import type { RecordTypes } from '../profile/sample.js';
import { nameKey, type Path } from '../values/paths.js';
import { aliasesIn, vocabularyOf } from './vocabulary.js';

/** Source name or path → field, or null to keep it out, from the mapping file beside the dump. It overrules all else. */
export interface Mapping extends ReadonlyMap<string, string | null> {
  /** Whether `4/8/2016` is the fourth of August. */
  readonly dayFirst?: boolean | undefined;
  /** Where the records stand in the file: `threads[].posts[]`. */
  readonly records?: string | undefined;
  /** Per path of a column: the kind that its field has, whatever its values look like. */
  readonly kinds?: ReadonlyMap<string, MappedKind> | undefined;
  /** The file is an export of this service: its texts are what they are. */
  readonly isOurExport?: boolean;
  /** The file is CSV and may be an export of this service: apostrophes guard its formulas, and texts of found fields are what they are. */
  readonly isGuarded?: boolean;
}

/** The kinds that a mapping may give to a field. */
export const MAPPED_KINDS = ['integer', 'number', 'date', 'boolean', 'text', 'code', 'texts', 'codes'] as const;
export type MappedKind = (typeof MAPPED_KINDS)[number];

export const NO_MAPPING: Mapping = new Map();

/** A place in records from which a field may be read: a member, or a value inside of one. */
export interface CellSource {
  /** The field's name. */
  readonly field: string;
  /** How well the source fits the field: the lowest rank is best. */
  readonly rank: number;
  readonly path: Path;
  /** The path as mappings and messages spell it. */
  readonly text: string;
  /** The member's own name fits the field: where another source is better, the report says so. */
  readonly isByName: boolean;
  /** The stage that guessed it, where no name says that the column feeds the field. */
  readonly guess?: GuessStage;
  /** Present where the column has the field's name, and other values: it feeds another field, or none. */
  readonly unsuitedWhy?: string;
}

/** How columns are guessed, the surest first: by words of their names, by their values, by names that come last. */
export const GUESS_STAGES = ['words', 'values', 'last names'] as const;
export type GuessStage = (typeof GUESS_STAGES)[number];

/** The part of a file's plan that finds the columns of a record; see plan.ts. */
export interface ColumnPlan {
  /** The sources that begin at a member of this name. The sample may lack the name. */
  readonly sourcesAt: (name: string) => readonly CellSource[];
  /** Undefined where no record is left out for its type. */
  readonly types?: RecordTypes | undefined;
  /** The name of the time from which relative dates count. */
  readonly scrapedAt?: string | undefined;
}

/** The rank of a path in the mapping, behind that of a name there. */
export const MAPPED_PATH_RANK = 0.25;

/** How well a name fits a field: 0 is best, undefined not at all. */
export type Rank = (field: Field, name: string) => number | undefined;

export function createRank(model: CollectionModel, mapping: Mapping): Rank {
  const ranks = ranksOf(model);
  return (field, name) => {
    const mapped = mapping.get(name);
    if (mapped !== undefined) return mapped === field.name ? 0 : undefined;
    if (name === field.name) return 1;
    // Elasticsearch's `_score` is not a score of the record.
    return name === '_score' ? undefined : ranks.get(field.name)?.get(nameKey(name));
  };
}

/** By field and key of a name, its rank. Every plan of a file asks for those of its model. */
const ranksByModel = new WeakMap<CollectionModel, ReadonlyMap<string, ReadonlyMap<string, number>>>();

function ranksOf(model: CollectionModel): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const ranks =
    ranksByModel.get(model) ?? new Map(model.fields.map((field) => [field.name, fieldRanks(model, field)] as const));
  ranksByModel.set(model, ranks);
  return ranks;
}

function fieldRanks(model: CollectionModel, field: Field): ReadonlyMap<string, number> {
  const { betterNames = [] } = vocabularyOf(field);
  const ranks = new Map<string, number>(betterNames.map((better) => [nameKey(better), 0.5]));
  for (const [i, alias] of [field.name, ...aliasesIn(model, field)].entries())
    if (!ranks.has(nameKey(alias))) ranks.set(nameKey(alias), i + 2);
  return ranks;
}
