/**
 * The HTML page of records side by side: a line for each field in which they differ, and the equal ones folded away. Others to
 * add are found by a search, or are like the first.
 */
import { type CollectionModel, type Field, ID_FIELD, isNumeric } from '../../../model.js';
import { execute } from '../../../query/execute.js';
import { idParameter, type Parameter } from '../../../query/parameters.js';
import { EVERYTHING } from '../../../query/query.js';
import { similarTo } from '../../../query/similar.js';
import type { Collection } from '../../../store/collection.js';
import { rowNamed } from '../../../store/named-rows.js';
import { count, DAY_MS } from '../../../text.js';
import { noHighlighter } from '../../highlight/highlight.js';
import {
  collectionTitle,
  labelOf,
  numberText,
  separateWords,
  shortened,
  withoutBidiControls,
} from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { listedDiff } from '../changes/record-changes.js';
import { EXACT_DIGITS } from '../counting/binning.js';
import { isIdentity } from '../counting/offered-fields.js';
import { numberValue } from '../fields/number-value.js';
import { address, recordAddress } from '../frame/address.js';
import { block, blockHead } from '../frame/blocks.js';
import type { PageFrame } from '../frame/document.js';
import { searchForm } from '../frame/toolbar.js';
import { hitList } from '../search/hits.js';
import { cover } from './image.js';
import { rolesOf, type ShownRecord, shownRecord } from './record.js';
import { CELL_CHARACTERS, cellValue, fieldOfRecord, HTML_TAGS, isMissing } from './value.js';

/** A comparison parses each record, and gives it a column of the table, which scrolls. */
const MAX_COMPARED = 20;

export const comparedParameter: Parameter = {
  name: 'id',
  description: 'identifiers of the compared records',
  expected: idParameter.expected,
  schema: idParameter.schema,
  repeatable: true,
  maxValues: { count: MAX_COMPARED, says: `compare takes ${MAX_COMPARED} records` },
};

export const compareAddress = (collection: string, ...ids: readonly unknown[]): string =>
  address(
    `/${collection}/compare`,
    ids.map((id) => ['id', String(id)]),
  );

/** Parsed bytes of all compared records; larger ones are read in part. */
const COMPARED_BYTES = 1 << 20;

/** `rows` are different rows; `text` searches for a record to add. */
export function comparisonPage(collection: Collection, rows: readonly number[], text: string | null): PageFrame {
  const { model } = collection;
  const name = collectionTitle(model.name);
  const records = rows.map((row) => shownRecord(collection, row, Math.floor(COMPARED_BYTES / rows.length)));
  const lines = comparedLines(model, records);
  const different = lines.filter(({ differs }) => differs);
  const equal = lines.filter(({ differs }) => !differs);
  return {
    title: html`${records.length === 0 ? 'Compare' : html`Compare ${withoutBidiControls(records.map(({ title }) => title).join(', '))}`} &ndash; ${name}`,
    current: model.name,
    kind: 'compare',
    main: html`<nav class="way row" aria-label="Way back"><a class="back" rel="up" href="/${model.name}">&larr; ${name}</a></nav>
<h1>${isolated(name)} side by side</h1>
${
  records.length > 1 &&
  html`<p>${different.length === lines.length ? 'All' : `${numberText(different.length)} of`} ${numberText(lines.length)} fields differ; numbers and dates have their distance from the first</p>
${comparedTable(collection, records, different)}`
}
<h2 class="vh">Further records</h2>
<div class="blocks">${equalFields(collection, records, equal)}
${records.length < MAX_COMPARED && partnersOf(collection, rows, records, text)}</div>`,
  };
}

interface ComparedLine {
  readonly field: Field;
  /** A value for each record. */
  readonly values: readonly unknown[];
  readonly differs: boolean;
}

/** The fields that some record has; those that all have stand before those that some lack. */
function comparedLines(model: CollectionModel, records: readonly ShownRecord[]): readonly ComparedLine[] {
  const lines = comparedFields(model).flatMap((field): readonly ComparedLine[] => {
    const values = records.map((record) => record.valueOf(field));
    return values.every(isMissing) ? [] : [{ field, values, differs: new Set(values.map(comparableText)).size > 1 }];
  });
  return lines.toSorted((a, b) => Number(a.values.some(isMissing)) - Number(b.values.some(isMissing)));
}

function comparedTable(
  collection: Collection,
  records: readonly ShownRecord[],
  different: readonly ComparedLine[],
): Html {
  const { model } = collection;
  const { image } = rolesOf(model);
  const head = records.map(
    (record) =>
      html`<th role="columnheader" scope="col">${image ? cover(model, record, { alt: '', size: 'small' }) : null}<a href="${recordAddress(model.name, record.id, [])}">${isolated(record.title)}</a>${columnLinks(model.name, records, record)}</th>`,
  );
  return html`<div class="scroll compared"><table role="table" aria-label="Compared ${separateWords(model.name)}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="lead">Field</th>${head}</tr></thead>
<tbody role="rowgroup">${different.map((line) => comparedLine(collection, records, line))}</tbody></table></div>`;
}

/** The fields in which all records are equal, folded away; a record alone with all of its fields. */
function equalFields(collection: Collection, records: readonly ShownRecord[], equal: readonly ComparedLine[]): Content {
  const [first] = records;
  if (first === undefined || equal.length === 0) return null;
  const facts = equal.map(
    ({ field, values }) =>
      html`<div><dt>${labelOf(field)}</dt><dd>${comparedValue(collection, fieldOfRecord(collection, first, field), values[0])}</dd></div>`,
  );
  const list = html`<dl class="facts pairs lines">${facts}</dl>`;
  if (records.length > 1)
    return block('whole', html`<details><summary>${count(equal.length, 'equal field')}</summary>${list}</details>`);
  const link = html`<a href="${recordAddress(collection.model.name, first.id, [])}">${isolated(first.title)}</a>`;
  return block('half', html`${blockHead(link)}${list}`);
}

/** Links to the comparison without a record, and with it as the first. */
function columnLinks(collection: string, records: readonly ShownRecord[], record: ShownRecord): Html {
  const otherIds = records.flatMap((other) => (other === record ? [] : [other.id]));
  const link = (ids: readonly unknown[], text: string): Html =>
    html`<a class="pill" href="${compareAddress(collection, ...ids)}">${text}<span class="vh"> ${record.title}</span></a>`;
  return html`<span class="row count">${record !== records[0] && link([record.id, ...otherIds], 'Put first')}${link(otherIds, 'Remove')}</span>`;
}

/** All fields but title and picture, which head the column, and the id, which always differs. */
function comparedFields(model: CollectionModel): readonly Field[] {
  const { title, image } = rolesOf(model);
  const inHead = [title, image, model.fields[ID_FIELD]];
  return model.fields.filter((field) => !inHead.includes(field));
}

/** Equal for equal values; a missing value is one of its own. */
const comparableText = (value: unknown): string => (isMissing(value) ? '' : JSON.stringify(value));

function comparedLine(collection: Collection, records: readonly ShownRecord[], { field, values }: ComparedLine): Html {
  const ownFields = records.map((record) => fieldOfRecord(collection, record, field));
  const cells = values.map((value, i) => {
    const first = values[0];
    const ownField = ownFields[i] ?? field;
    // No number tells how far euros are from pounds.
    const isMeasured = i > 0 && ownField.currency === ownFields[0]?.currency;
    const content =
      (i > 0 && values.length === 2 && haveCommonWords(first, value) && listedDiff(first, value, MARKED_LIMITS)) ||
      comparedValue(collection, ownField, value);
    return html`<td role="cell" data-label="${records[i]?.title}">${isMissing(value) ? html`<span class="soft">&ndash;</span>` : content}${isMeasured && distanceFrom(collection, ownField, first, value)}</td>`;
  });
  return html`<tr role="row"><th role="rowheader" scope="row" class="lead">${labelOf(field)}</th>${cells}</tr>`;
}

/** The least share of all different words that two texts have both, for their words to be marked: of others nearly all would be. */
const MIN_COMMON_WORDS = 0.5;

function haveCommonWords(one: unknown, other: unknown): boolean {
  const [words, otherWords] = [wordSetOf(one), wordSetOf(other)];
  const all = new Set([...words, ...otherWords]);
  return words.size + otherWords.size - all.size >= MIN_COMMON_WORDS * all.size;
}

const wordSetOf = (value: unknown): ReadonlySet<string> => new Set(String(value).split(/\s+/));

/** Bounds on texts of which the words that differ are marked. */
const MARKED_LIMITS = { characters: 20_000, paragraphs: 8 };
const COMPARED_CHARACTERS = 600;

/** A text, of which only the beginning is open where it is long. */
function unfoldingText(text: string): Content {
  const beginning = shortened(text, COMPARED_CHARACTERS);
  if (beginning === text) return isolated(text);
  const continuation = shortened(text.slice(beginning.length - 1), MARKED_LIMITS.characters);
  return html`<details><summary>${isolated(beginning)}</summary>${isolated(continuation)}</details>`;
}

function comparedValue(collection: Collection, field: Field, value: unknown): Content {
  if (field.kind === 'text' && typeof value === 'string' && value.length > CELL_CHARACTERS)
    return unfoldingText(value.replace(HTML_TAGS, ' '));
  // Addresses that differ have the same host as a rule, which is all that a list shows of them.
  const shownField: Field = field.kind === 'url' ? { ...field, kind: 'code' } : field;
  return cellValue(shownField, value, collection, noHighlighter);
}

/** ` +3.00`, ` −12 days`: how far a number or date is from that of the first record; null of numbers that name things. */
function distanceFrom(collection: Collection, field: Field, first: unknown, value: unknown): Content {
  if (first === value) return null;
  const signed = (distance: number, sizeText: (size: number) => Content): Html =>
    html` <span class="distance soft small">${distance > 0 ? '+' : '\u2212'}${sizeText(Math.abs(distance))}</span>`;
  if (field.kind === 'date') {
    const days = Math.round((Date.parse(String(value)) - Date.parse(String(first))) / DAY_MS);
    return Number.isFinite(days) && days !== 0 ? signed(days, (size) => count(size, 'day')) : null;
  }
  const isMeasure = isNumeric(field.kind) && !isIdentity(collection, field);
  if (!isMeasure || typeof first !== 'number' || typeof value !== 'number') return null;
  const distance = Number((value - first).toPrecision(EXACT_DIGITS));
  return signed(distance, (size) => numberValue(collection, field, size));
}

const OFFERED_PARTNERS = 8;

/** Records to compare with: those that have the words or the id of `text`, else those that are like the first. */
function partnersOf(
  collection: Collection,
  rows: readonly number[],
  records: readonly ShownRecord[],
  text: string | null,
): Html {
  const { name } = collection.model;
  const query = { ...EVERYTHING, text };
  const [first] = rows;
  const isSimilar = first !== undefined && text === null;
  const limit = OFFERED_PARTNERS + rows.length;
  const matching = isSimilar
    ? similarTo(collection, first, limit)
    : Array.from(execute(collection, query, { page: 1, limit }).rows);
  const named = text === null ? undefined : rowNamed(collection, text);
  const partners = [...new Set([...(named ? [named.row] : []), ...matching])]
    .filter((row) => !rows.includes(row))
    .slice(0, OFFERED_PARTNERS);
  const ids = records.map(({ id }) => String(id));
  const hidden = ids.map((id) => ['id', id] as const);
  const form = searchForm({ action: `/${name}/compare`, label: 'Words or id', text, hidden });
  const list = hitList(collection, partners, query, ({ id }) => compareAddress(name, ...ids, id));
  const title = records.length > 1 ? 'Add another' : records.length > 0 ? 'Compare with' : 'Compare';
  return block(
    records.length === 1 ? 'half' : 'whole',
    html`${blockHead(title, isSimilar ? 'similar ones' : null)}<div class="stack">${form}${partners.length > 0 ? list : html`<p role="status">Nothing else found.</p>`}</div>`,
  );
}
