/**
 * Which fields has a collection?
 * Takes: its model, and the files that feed it.
 * Gives: the model with the fields that the files bring and the units that they show, and for each file its plan and spellings.
 * Skip: how a column becomes a field (`found-fields.ts`), how dates and numbers are spelt (`spellings.ts`).
 */

import { currencyPartOf } from '../field-kinds.js';
import type { Language } from '../languages.js';
import { type CollectionModel, collections, type Field } from '../model.js';
import { type Opener, ownCollections } from './fields/assign.js';
import { type Decisions, differenceLine } from './fields/differences.js';
import { foundFields } from './fields/found-fields.js';
import { type LaterValues, NOTHING_LATER } from './fields/plan.js';
import { filesSharingIds } from './fields/shared-ids.js';
import { NO_SPELLINGS, type Spellings, spellingsOf } from './fields/spellings.js';
import type { OpenedFile } from './open-file.js';
import type { ColumnProfile } from './profile/column-profile.js';
import { sampledLanguage } from './profile/sample.js';
import { splitSign } from './profile/splits.js';
import { faultText, type SnapshotFault } from './report/report.js';
import { listKey, type SnapshotFile, type SnapshotPlace } from './source/folder.js';

/** The language of the records' texts, and whether columns become fields, where the user says so. */
export interface CollectionOptions extends Pick<SnapshotPlace, 'language' | 'columns'> {
  /** The models of the collections, in place of the documented ones. */
  readonly models?: readonly CollectionModel[];
}

/** A collection whose files are opened: their columns and its fields are known. */
export interface OpenedCollection {
  readonly model: CollectionModel;
  readonly language: Language;
  readonly opened: readonly OpenedFile[];
  /** Per opened file how it spells dates and numbers. */
  readonly spellings: ReadonlyMap<OpenedFile, Spellings>;
  readonly faults: readonly SnapshotFault[];
}

/** Opens the files of a collection and gathers their fields. Each file with a fault is left out. `sharing`: files whose ids are shared, by `listKey`. */
export async function openCollection(
  model: CollectionModel,
  sources: readonly SnapshotFile[],
  options: CollectionOptions,
  opener: Opener,
  sharing: ReadonlySet<string> = new Set(),
): Promise<OpenedCollection> {
  // A file with a fault is left out and the others are still read, so that every file's fault is reported.
  const faults: SnapshotFault[] = [];
  const opened: OpenedFile[] = [];
  for (const source of sources) {
    const file = await opener.open(source, model, undefined, sharing.has(listKey(source)));
    // A mapping that several files share has one fault.
    if (!('message' in file)) opened.push(file);
    else if (!faults.some((fault) => faultText(fault) === faultText(file))) faults.push(file);
  }
  const keysOfSharing = filesSharingIds(opened).map(({ source }) => listKey(source));
  // A file whose mapping names such a column as its id is found again, and is in `sharing` already.
  if (keysOfSharing.some((key) => !sharing.has(key)))
    return openCollection(model, sources, options, opener, new Set([...sharing, ...keysOfSharing]));
  const language = options.language ?? sampledLanguage(opened.map(({ layout }) => layout.sample));
  const dumpFields = options.columns === 'documented' ? [] : foundFields(model, opened);
  const sampled = withoutMixedCurrencies(withSampled(withFound(model, dumpFields), opened));
  const spellings = new Map(opened.map((file) => [file, spellingsOf(sampled, file)] as const));
  return { model: sampled, language, opened, spellings, faults };
}

/** The collection, planned once more where its records have shown more than the first of them. */
export async function reopenCollection(
  base: CollectionModel,
  collection: OpenedCollection,
  sources: readonly SnapshotFile[],
  options: CollectionOptions,
  opener: Opener,
  later: ReadonlyMap<string, LaterValues>,
): Promise<OpenedCollection> {
  const hasShownMore = ({ source }: OpenedFile): boolean => {
    const { records, kinds } = later.get(listKey(source)) ?? NOTHING_LATER;
    return records.length + kinds.size > 0;
  };
  if (!collection.opened.some(hasShownMore)) return collection;
  const [own] = base.isOwn ? await ownCollections(sources, options.models ?? collections, opener) : [];
  return openCollection(own ?? base, sources, options, opener);
}

export const decisionsOn = (opened: OpenedFile, { model, spellings }: OpenedCollection): Decisions => ({
  opened,
  model,
  spellings: spellings.get(opened) ?? NO_SPELLINGS,
});

/** Per file a line on what is decided otherwise about it; none for a file of which all decisions stay. */
export function differencesOf(before: OpenedCollection, after: OpenedCollection): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const [i, opened] of before === after ? [] : after.opened.entries()) {
    const earlier = before.opened[i];
    const line = earlier && differenceLine(decisionsOn(earlier, before), decisionsOn(opened, after));
    if (line !== undefined) lines.set(opened.source.file, line);
  }
  return lines;
}

/** Adds the fields of the dump behind the documented ones; in a collection of the user's own, before those that only details show. */
function withFound(model: CollectionModel, dumpFields: readonly Field[]): CollectionModel {
  const isLast = ({ detailOnly }: Field): boolean => model.isOwn === true && detailOnly === true;
  const documented = model.fields.filter((field) => !isLast(field));
  return { ...model, fields: [...documented, ...dumpFields, ...model.fields.filter(isLast)] };
}

/** Amounts of several currencies have no common sign: `€10` beside `$11` is no `€11`. */
const withoutMixedCurrencies = (model: CollectionModel): CollectionModel => ({
  ...model,
  fields: model.fields.map((field) => {
    const { currency, ...others } = field;
    return currency === undefined || currencyPartOf(model, field) === undefined ? field : others;
  }),
});

/** The model with what the samples show of its fields: the sign that separates several values in a text, and the currency. */
function withSampled(model: CollectionModel, files: readonly OpenedFile[]): CollectionModel {
  const firstOf = (
    field: Field,
    signIn: (profile: ColumnProfile | undefined, file: OpenedFile) => string | undefined,
  ) => files.map((file) => signIn(file.plan.profileOf(field), file)).find((sign) => sign !== undefined);
  const fields = model.fields.map((field) => {
    const splitBy = firstOf(field, (profile, { mapping, source: { format } }) =>
      profile === undefined
        ? undefined
        : splitSign(field, profile.counts, {
            isCsv: format === 'csv',
            isOurExport: mapping.isOurExport === true,
            dateOrder: undefined,
          }),
    );
    const currency =
      field.role === 'price'
        ? firstOf(field, (profile, { mapping }) =>
            mapping.isOurExport ? undefined : profile?.amounts.currencies[0]?.[0],
          )
        : undefined;
    return { ...field, ...(splitBy !== undefined && { splitBy }), ...(currency !== undefined && { currency }) };
  });
  return { ...model, fields };
}
