/**
 * Which members of a record feed which fields? A plan lists the sources of each field; here the best one is chosen, for all records of the
 * same names.
 */
import { type CollectionModel, ID_FIELD } from '../../model.js';
import { type CellSource, type ColumnPlan, MAPPED_PATH_RANK } from '../fields/columns.js';
import { type RecordTypes, TYPE_NAME } from '../profile/sample.js';
import { type Path, pathText } from '../values/paths.js';

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

/** Whatever is mapped has no alternatives but what is mapped as well. */
const isMapped = (source: FedColumn | undefined): boolean => source !== undefined && source.rank <= MAPPED_PATH_RANK;

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
