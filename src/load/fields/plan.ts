/**
 * The plan of a file: what becomes of each of its columns, and of values inside of them. It is made once, from the file's first
 * records, so that every record of the file is read by the same rules. Sources of a field, best first: the mapping, the field's own
 * name, its aliases, usual paths, the same inside the object that holds each record's values (`data`, `volumeInfo`), guesses.
 */
import { type CollectionModel, type Field, type FieldRole, hasField, ID_FIELD, roleIndex } from '../../model.js';
import { unguardFormula } from '../../text.js';
import { ROLES_OF_HOLDERS } from '../place/holders.js';
import { type ColumnProfile, profileOf } from '../profile/column-profile.js';
import { factOf } from '../profile/facts.js';
import { MAX_FIELD_DEPTH } from '../profile/late-columns.js';
import { recordTypes, SAMPLE_RECORDS, type SampleRecord, wantedOf } from '../profile/sample.js';
import { sampleFindings } from '../profile/sample-findings.js';
import { splitSign } from '../profile/splits.js';
import type { FileFinding } from '../report/findings.js';
import { isRelativeDate } from '../values/dates.js';
import { currenciesOf } from '../values/numbers.js';
import { isIdentifier, isPlainObject, nameKey, type Path, parsePath, pathText, valueAt } from '../values/paths.js';
import { foundForm, type TextForm, textForm } from '../values/text-forms.js';
import { type ColumnPlan, createRank, type FoundKind, type Mapping, NO_MAPPING, type Source } from './columns.js';
import { fits, GUESS_STAGES, guessColumn } from './guesses.js';
import {
  containersIn,
  innerColumns,
  type Level,
  pathToValues,
  type SampledColumn,
  type SourceColumn,
  sampledColumns,
  sourcesOf,
  type UnsuitedColumn,
} from './sources.js';

/** A collection has no more found fields than these. */
export const MAX_FOUND_FIELDS = 200;
/** How many columns a report proposes for a title. */
const MAX_CANDIDATES = 3;

/** A column that feeds no documented field: it may become a field of its own. */
export interface FoundColumn {
  readonly path: Path;
  readonly text: string;
  /** The values in the sample that are not null. */
  readonly values: readonly unknown[];
  /** The profile of the values, made when it is first asked for. */
  readonly profile: () => ColumnProfile;
  /** The field's name, if the mapping gives it. */
  readonly name?: string;
  /** The field's kind, if the mapping gives it, or the values of all records decide it. */
  readonly kind?: FoundKind | undefined;
}

export interface Plan extends ColumnPlan {
  /** The fields that have a source in the sample, and the best source of each. */
  readonly fed: ReadonlyMap<number, SourceColumn>;
  /** Columns that have a documented field's name, and other values. */
  readonly unsuited: readonly UnsuitedColumn[];
  /** Columns that may become fields, in the order of the source; those that the mapping renames stand last. */
  readonly found: readonly FoundColumn[];
  /** The file is an export of this service: its texts are what they are. */
  readonly isOurExport: boolean;
  /** The file is CSV and may be an export of this service: apostrophes guard its formulas, and texts of found fields are what they are. */
  readonly isGuarded: boolean;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** Possible mistakes of the source that the sample shows: several currencies in a column, several scales. */
  readonly findings: readonly FileFinding[];
  /** The sign of the commonest currency of the prices. */
  readonly currency: string | undefined;
  /** Per field the sign that separates several values in its texts, where one does. */
  readonly splitSigns: ReadonlyMap<string, string>;
  /** Where no column is the title: the columns that could be. */
  readonly titleCandidates: readonly string[];
  /** Paths of the mapping that lead to a value in the sample. */
  readonly usedPaths: readonly string[];
}

const GUESS_RANK = 1_000_000;

const isOfHolders = ({ role }: Field): boolean => role !== undefined && ROLES_OF_HOLDERS.includes(role);

/** The time at which a record was scraped: `scraped_at`, `crawlTime`, `fetched-on`. */
const SCRAPE_TIME =
  /^(?:scraped?|crawl(?:ed)?|fetch(?:ed)?|retrieved|downloaded|extracted|collected|indexed)(?:at|on|time|date|timestamp)$/;

export interface PlanOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly isCsv: boolean;
  /** Whether HTML stays as it is. */
  readonly keepsHtml?: boolean;
  /** Columns with values of what holds the records: `shop`. */
  readonly heldNames?: ReadonlySet<string> | undefined;
  /** The page's address, which completes relative addresses. */
  readonly baseUrl?: string | undefined;
}

/** Values behind the sample that may decide otherwise about a file's columns. */
export interface LaterValues {
  /** Records of one value each, that the sample lacks. */
  readonly records: readonly SampleRecord[];
  /** Per path of a column the kind that the values of all records decide. */
  readonly kinds: ReadonlyMap<string, FoundKind>;
}

export const NOTHING_LATER: LaterValues = { records: [], kinds: new Map() };

export function createPlan(
  options: PlanOptions,
  records: readonly SampleRecord[],
  later: LaterValues = NOTHING_LATER,
): Plan {
  const { model, mapping, isCsv } = options;
  const kindAt = (text: string): FoundKind | undefined => mapping.kinds?.get(text) ?? later.kinds.get(text);
  const types = recordTypes(model, records);
  const sample = wantedOf(model, records, types);
  const rank = createRank(model, mapping);
  const top: Level = {
    prefix: [],
    baseRank: 0,
    columns: sampledColumns(plannedRecords(sample, later)),
  };
  const names = [...top.columns.keys()];
  const isOurExport = model.isOwn === undefined && isExportForm(model, sample);
  const isGuarded = isCsv && (isOurExport || (model.isOwn === true && hasExportShape(sample)));
  const rankByName = createRank(model, NO_MAPPING);
  const levels = isOurExport ? [] : [top, ...containersIn(top, model, rankByName)];
  const columnsByField = model.fields.map((field, index) =>
    sourcesOf(field, index, { top, levels, mapping, rank, rankByName, isCsv }),
  );
  const sources = columnsByField.map(({ suited }) => suited);
  const unsuited = columnsByField.flatMap((columns) => columns.unsuited);
  const isFed = (index: number): boolean => sources[index]?.[0] !== undefined;
  const freeColumns = levels.flatMap(({ columns }) => [...columns.values()]).filter((column) => !isTaken(column));
  guess();
  const allSources = sources.flat();
  const fed = new Map(sources.flatMap(([best]) => (best === undefined ? [] : [[best.field, best]])));

  const forms = model.fields.map(formOf);
  const prices = isOurExport ? [] : valuesOfRole('price');
  return {
    ...{ model, types, isOurExport, isGuarded, fed, unsuited, forms, sourcesAt },
    findings: isOurExport ? [] : sampleFindings(model, sample, prices, valuesOfRole('rating')),
    found: foundColumns(),
    currency: currenciesOf(prices)[0]?.[0],
    titleCandidates: titleCandidates(),
    scrapedAt: scrapedAt(),
    splitSigns: splitSigns(),
    usedPaths: usedPaths(mapping, top),
  };

  /** A name that the sample lacks may begin a path of the mapping, or be a name of a field. */
  function sourcesAt(name: string): readonly Source[] {
    const planned = allSources.filter(({ path }) => path[0] === name);
    if (top.columns.has(name)) return planned;
    const named = model.fields.flatMap((field, index): readonly Source[] => {
      const nameRank = rank(field, name);
      return nameRank === undefined ? [] : [{ field: index, rank: nameRank, path: [name], text: name, isByName: true }];
    });
    return [...planned, ...named];
  }

  function splitSigns(): ReadonlyMap<string, string> {
    const signs = new Map<string, string>();
    for (const [index, field] of model.fields.entries()) {
      const sign = splitSign(field, valuesOf(index), { isCsv, isOurExport, dateOrder: undefined });
      if (sign !== undefined) signs.set(field.name, sign);
    }
    return signs;
  }

  /** The column with the time of scraping, from which `3 hours ago` counts; undefined where no date needs it. */
  function scrapedAt(): string | undefined {
    const dates = isOurExport
      ? []
      : model.fields.flatMap(({ kind }, index) => (kind === 'date' ? valuesOf(index) : []));
    const isNeeded = dates.some((value) => typeof value === 'string' && isRelativeDate(value));
    return isNeeded ? names.find((name) => SCRAPE_TIME.test(nameKey(name))) : undefined;
  }

  /**
   * The columns that feed no documented field, objects resolved into their members; behind them those that the mapping renames.
   *
   *     {"price": {"value": 9, "currency": "EUR"}, "brand": "Acme"}, where price.value is fed:
   *     price.currency, brand
   */
  function foundColumns(): readonly FoundColumn[] {
    const readTexts = new Set([...mapping.keys(), ...[...fed.values()].map(({ path }) => pathText(path))]);
    const columns: FoundColumn[] = [];
    const visit = (column: SampledColumn): void => {
      const { path, text, values } = column;
      if (readTexts.has(text) || columns.length === MAX_FOUND_FIELDS || values.length === 0) return;
      if (path.length < MAX_FIELD_DEPTH && values.every(isPlainObject))
        for (const member of innerColumns(column).values()) visit(member);
      else {
        const served = isGuarded ? values.map(unguarded) : values;
        columns.push({ path, text, values: served, profile: () => profileOfColumn(served), kind: kindAt(text) });
      }
    };
    for (const column of top.columns.values()) visit(column);
    return [...columns, ...renamedColumns(model, mapping, top, kindAt)].slice(0, MAX_FOUND_FIELDS);
  }

  function titleCandidates(): readonly string[] {
    const index = roleIndex(model, 'title');
    if (index === -1 || isFed(index)) return [];
    const isText = ({ values }: SampledColumn) => values.every((value) => typeof value === 'string');
    const columns = freeColumns.filter((column) => isText(column) && fits(model.fields[index]!, column, isCsv));
    return columns.slice(0, MAX_CANDIDATES).map(({ text }) => text);
  }

  function valuesOf(index: number): readonly unknown[] {
    return valuesAtPath(top, fed.get(index)?.path ?? []);
  }

  function valuesOfRole(role: FieldRole): readonly unknown[] {
    return valuesOf(roleIndex(model, role));
  }

  function formOf(field: Field, index: number): TextForm {
    if (isOurExport) return 'plain';
    if (field.kind === 'url') return options.baseUrl === undefined ? 'plain' : 'address';
    const path = fed.get(index)?.path ?? [];
    const neighbourNames = levels.flatMap(({ prefix, columns }) =>
      prefix.length === 0 || prefix[0] === path[0] ? [...columns.keys()] : [],
    );
    const last = path.findLast((step) => typeof step === 'string') ?? '';
    const form = textForm(field, last, neighbourNames, valuesOf(index));
    return form === 'html' && options.keepsHtml ? (field.detailOnly ? 'plain' : 'entities') : form;
  }

  /** Guesses a source for each field that has none yet, the surest of all fields first; takes the columns from `freeColumns`. */
  function guess(): void {
    for (const stage of GUESS_STAGES)
      for (const [index, field] of model.fields.entries()) {
        // A record without a title takes the first words of its content.
        const isTitled = field.role === 'title' && stage !== 'words' && isFed(roleIndex(model, 'body'));
        if (isFed(index) || isTitled) continue;
        // The address of a shop is none of its products.
        const mayFeed = (column: SampledColumn): boolean => isOfHolders(field) || !options.heldNames?.has(column.name);
        const column = guessColumn(field, freeColumns.filter(mayFeed), isCsv, stage, sample.length);
        if (column === undefined) continue;
        freeColumns.splice(freeColumns.indexOf(column), 1);
        const instead = guessColumn(field, freeColumns.filter(mayFeed), isCsv, stage, sample.length)?.text;
        const path = [...column.path, ...pathToValues(field, column.values)];
        const source = { field: index, rank: GUESS_RANK, path, text: column.text, isByName: false };
        sources[index]!.push({ ...source, guess: { stage, instead } });
      }
  }

  /** Whether a column feeds a field already, is in the mapping, or has a field's name and other values. */
  function isTaken({ path, text }: SampledColumn): boolean {
    const [first, second] = path;
    if (mapping.has(text) || unsuited.some((column) => column.text === text)) return true;
    return sources.some((fieldSources) => {
      const best = fieldSources.find(({ isByName }) => isByName) ?? fieldSources[0];
      if (best?.path[0] !== first) return false;
      return best?.isByName ? second === undefined : best?.path.length === 1 || best?.path[1] === second;
    });
  }
}

/**
 * The form in which this service exports records: every field of a list item under its own name, in the model's order;
 * behind the documented fields those that were found in the dump, of any name.
 */
function isExportForm({ fields }: CollectionModel, sample: readonly SampleRecord[]): boolean {
  const isExported = ({ names }: SampleRecord): boolean => {
    const exported = fields.filter(({ name, detailOnly }) => !detailOnly || names.includes(name));
    const documented = names.filter((name) => fields.some((field) => field.name === name));
    return documented.length === exported.length && exported.every(({ name }, i) => names[i] === name);
  };
  return sample.length > 0 && sample.every(isExported);
}

/** Whether a sample has the form of an export of a collection of the user's own: the id first, and names as the API has them. */
const hasExportShape = (sample: readonly SampleRecord[]): boolean =>
  sample.length > 0 && sample.every(({ names }) => names[0] === 'id' && names.every(isIdentifier));

const unguarded = (value: unknown): unknown => (typeof value === 'string' ? unguardFormula(value) : value);

/** The values at a path in the sample; none at the empty path, which a field without a source has. */
function valuesAtPath({ columns }: Level, [first, ...rest]: Path): readonly unknown[] {
  const values = first === undefined ? undefined : columns.get(String(first))?.values;
  return (values ?? []).map((value) => valueAt(value, rest));
}

const usedPaths = (mapping: Mapping, top: Level): readonly string[] =>
  [...mapping.keys()].filter((key) => {
    const path = parsePath(key) ?? [];
    return path.length > 1 && valuesAtPath(top, path).some((value) => (value ?? null) !== null);
  });

const profileOfColumn = factOf((values: readonly unknown[]) => profileOf(values));

/** A sample is planned as it is, so that facts about its columns are found once. */
const plannedRecords = (sample: readonly SampleRecord[], { records }: LaterValues): readonly SampleRecord[] =>
  records.length === 0 && sample.length <= SAMPLE_RECORDS ? sample : [...sample.slice(0, SAMPLE_RECORDS), ...records];

/** The columns, or values inside of them, that a mapping gives names of their own: `{"variants[0].sku": "sku"}`. */
const renamedColumns = (
  model: CollectionModel,
  mapping: Mapping,
  top: Level,
  kindAt: (text: string) => FoundKind | undefined,
): readonly FoundColumn[] =>
  [...mapping].flatMap(([text, name]) => {
    if (name === null || hasField(model, name)) return [];
    const path = top.columns.has(text) ? [text] : (parsePath(text) ?? []);
    const values = valuesAtPath(top, path).filter((value) => value !== null && value !== undefined);
    return values.length === 0
      ? []
      : [{ path, text, values, profile: () => profileOfColumn(values), name, kind: kindAt(text) }];
  });

/** The column that feeds a found field. */
export const foundColumnOf = ({ found }: Plan, { sourcePath }: Field): FoundColumn | undefined =>
  sourcePath === undefined ? undefined : found.find(({ text }) => text === pathText(sourcePath));

/**
 * The plan for the fields of another model: those of the plan's, which may be optional or texts there, and found fields. `givesIds`:
 * records get their ids by position, and no column feeds them.
 */
export function planFor(plan: Plan, model: CollectionModel, givesIds: boolean): ColumnPlan & Pick<Plan, 'forms'> {
  const isSame = (a: Field, b: Field): boolean => a.name === b.name && a.sourcePath === b.sourcePath;
  const indexes = plan.model.fields.map((planned) => model.fields.findIndex((field) => isSame(field, planned)));
  const foundSources = model.fields.flatMap(({ sourcePath: path }, field) =>
    path === undefined ? [] : [{ field, rank: 0, path, text: pathText(path), isByName: false }],
  );
  return {
    model,
    types: plan.types,
    scrapedAt: plan.scrapedAt,
    sourcesAt: (name) => [
      ...plan.sourcesAt(name).flatMap((source) => {
        const field = indexes[source.field]!;
        return field === -1 || (givesIds && field === ID_FIELD) ? [] : [{ ...source, field }];
      }),
      ...foundSources.filter(({ path }) => path[0] === name),
    ],
    forms: model.fields.map((field, index) => plan.forms[indexes.indexOf(index)] ?? foundForm(field)),
  };
}
