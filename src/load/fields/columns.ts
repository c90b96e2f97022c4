/**
 * Which members of a record feed which fields. A plan lists the places in records from which a field may be read (`CellSource`); here the
 * best one is chosen for each field, for all records of the same names.
 */

import { type CollectionModel, type Field, type FieldKind, ID_FIELD } from '../../model.js';
import { type RecordTypes, TYPE_NAME } from '../profile/sample.js';
import { nameKey, type Path, pathText } from '../values/paths.js';
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

/** `json`: a value that has no scalar form, such as a list of objects, is kept as it came and only shown. */
export type FoundKind = Exclude<FieldKind, 'url'>;

export type NumberUnit = Pick<Field, 'isPercent' | 'currency' | 'unit'>;

/** The kind that the values of a column decide, and the unit of its numbers where one was counted. */
export interface DecidedKind {
  readonly kind: FoundKind;
  readonly unit?: NumberUnit | undefined;
}

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

/** A field's source in records of certain names. */
interface FedColumn extends Pick<CellSource, 'rank' | 'text' | 'isByName'> {
  /** The position of the field in the model. */
  readonly field: number;
  /** The position of the member. */
  readonly position: number;
  /** The path from the member's value to the field's; empty where both are the same. */
  readonly path: Path;
}

export interface Columns {
  readonly names: readonly string[];
  /** The fields that have a source, in the order of the model. */
  readonly fed: readonly FedColumn[];
  /** Alternative columns: members whose names fit a field too, but less well than the one that feeds it. */
  readonly alternatives: readonly FedColumn[];
  /** Undefined where no record is left out for its type. */
  readonly types?: RecordTypes | undefined;
  /** The position of the record's type; -1 where the source has none. */
  readonly typePosition: number;
  /** The position of the time at which the record was scraped; -1 where no date counts from it. */
  readonly scrapedPosition: number;
  /** Records read by these columns so far. */
  records: number;
}

/** The rank of a path in the mapping, behind that of a name there. Whatever is mapped has no alternatives but what is mapped as well. */
export const MAPPED_PATH_RANK = 0.25;
const isMapped = (source: FedColumn | undefined): boolean => source !== undefined && source.rank <= MAPPED_PATH_RANK;

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

/**
 * The columns of records with these `names`, for the fields of a model: those that the plan has sources of, and found fields, which stand
 * at paths of their own. `givesIds`: records get their ids by position, and no column feeds them.
 */
export function findColumns(
  { sourcesAt, types, scrapedAt }: ColumnPlan,
  { fields }: CollectionModel,
  names: readonly string[],
  givesIds = false,
): Columns {
  const positions = new Map(names.map((name, position) => [name, position] as const).toReversed());
  const documented = new Map<string, number>();
  const foundColumns: FedColumn[] = [];
  for (const [field, { name, sourcePath: path }] of fields.entries()) {
    if (path === undefined) {
      if (!givesIds || field !== ID_FIELD) documented.set(name, field);
      continue;
    }
    const position = positions.get(String(path[0]));
    if (position !== undefined)
      foundColumns.push({ field, position, path: path.slice(1), rank: 0, text: pathText(path), isByName: false });
  }
  const sources = names.flatMap((name, position) =>
    sourcesAt(name).flatMap(({ field: fieldName, path, rank, text, isByName }): readonly FedColumn[] => {
      const field = documented.get(fieldName);
      return field === undefined ? [] : [{ field, position, path: path.slice(1), rank, text, isByName }];
    }),
  );
  const best = fields.map((): FedColumn | undefined => undefined);
  for (const source of [...sources, ...foundColumns])
    if (source.rank < (best[source.field]?.rank ?? Number.POSITIVE_INFINITY)) best[source.field] = source;
  return {
    names,
    fed: best.filter((source) => source !== undefined),
    alternatives: sources.filter((source) => {
      const chosen = best[source.field];
      return source.isByName && source !== chosen && (isMapped(source) || !isMapped(chosen));
    }),
    types,
    typePosition: types === undefined ? -1 : names.indexOf(TYPE_NAME),
    scrapedPosition: scrapedAt === undefined ? -1 : names.indexOf(scrapedAt),
    records: 0,
  };
}
