/**
 * The HTML page of records side by side: a line for each field that one of them has, marked where their values differ. A single
 * record is offered others to stand beside it.
 */
import { type CollectionModel, type Field, ID_FIELD, isNumeric } from '../../../model.js';
import { idParameter, type Parameter } from '../../../query/parameters.js';
import { similarTo } from '../../../query/similar.js';
import type { Collection } from '../../../store/collection.js';
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
import type { PageFrame } from '../frame/document.js';
import { cover } from './image.js';
import { listRecord, rolesOf, type ShownRecord, shownRecord } from './record.js';
import { cellValue, fieldOfRecord, isMissing } from './value.js';

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

/** `rows` are different rows. */
export function comparisonPage(collection: Collection, rows: readonly number[]): PageFrame {
  const { model } = collection;
  const name = collectionTitle(model.name);
  const records = rows.map((row) => shownRecord(collection, row, Math.floor(COMPARED_BYTES / rows.length)));
  const content = records.length < 2 ? partnersOf(collection, rows[0], records[0]) : comparedTable(collection, records);
  return {
    title: html`${records.length === 0 ? 'Compare' : html`Compare ${withoutBidiControls(records.map(({ title }) => title).join(', '))}`} &ndash; ${name}`,
    current: model.name,
    kind: 'compare',
    main: html`<nav class="way row" aria-label="Way back"><a class="back" rel="up" href="/${model.name}">&larr; ${name}</a></nav>
<h1>${isolated(name)} side by side</h1>
${content}`,
  };
}

function comparedTable(collection: Collection, records: readonly ShownRecord[]): Html {
  const { model } = collection;
  const { image } = rolesOf(model);
  const lines = comparedFields(model).flatMap((field): readonly ComparedLine[] => {
    const values = records.map((record) => record.valueOf(field));
    return values.every(isMissing) ? [] : [{ field, values, differs: new Set(values.map(comparableText)).size > 1 }];
  });
  const different = lines.filter(({ differs }) => differs);
  const incomplete = different.filter(
    ({ values }) => new Set(values.filter((value) => !isMissing(value)).map(comparableText)).size === 1,
  );
  const head = records.map(
    (record) =>
      html`<th role="columnheader" scope="col">${image ? cover(model, record, { alt: '', size: 'small' }) : null}<a href="${recordAddress(model.name, record.id, [])}">${isolated(record.title)}</a>${columnLinks(model.name, records, record)}</th>`,
  );
  const areAllDifferent = different.length === lines.length;
  const incompleteText =
    incomplete.length > 0 && `, ${numberText(incomplete.length)} of them only because a value is missing`;
  return html`<p class="row"><span>${areAllDifferent ? 'All' : `${numberText(different.length)} of`} ${numberText(lines.length)} fields differ${incompleteText}; numbers and dates have their distance from the first</span>${!areAllDifferent && html`<label class="row soft"><input type="checkbox" id="only-different"> Only these</label>`}</p>
<div class="scroll compared${areAllDifferent ? ' differing' : ''}"><table role="table" aria-label="Compared ${separateWords(model.name)}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="lead">Field</th>${head}</tr></thead>
<tbody role="rowgroup">${lines.map((line) => comparedLine(collection, records, line))}</tbody></table></div>
${records.length < MAX_COMPARED && idForm(model, records, 'Another', 'Add')}`;
}

interface ComparedLine {
  readonly field: Field;
  /** A value for each record. */
  readonly values: readonly unknown[];
  readonly differs: boolean;
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

function comparedLine(
  collection: Collection,
  records: readonly ShownRecord[],
  { field, values, differs }: ComparedLine,
): Html {
  const ownFields = records.map((record) => fieldOfRecord(collection, record, field));
  const cells = values.map((value, i) => {
    const first = values[0];
    const ownField = ownFields[i] ?? field;
    // No number tells how far euros are from pounds.
    const isMeasured = i > 0 && ownField.currency === ownFields[0]?.currency;
    const content =
      (i > 0 && values.length === 2 && listedDiff(first, value, MARKED_LIMITS)) ||
      comparedValue(collection, ownField, value);
    return html`<td role="cell" data-label="${records[i]?.title}">${isMissing(value) ? html`<span class="soft">&ndash;</span>` : content}${isMeasured && distanceFrom(collection, ownField, first, value)}</td>`;
  });
  return html`<tr role="row"${differs ? html` class="differs"` : null}><th role="rowheader" scope="row" class="lead">${labelOf(field)}${differs ? html`<span class="vh"> differs</span>` : null}</th>${cells}</tr>`;
}

/** Bounds on texts of which the words that differ are marked. */
const MARKED_LIMITS = { characters: 20_000, paragraphs: 8 };
const COMPARED_CHARACTERS = 600;

const comparedValue = (collection: Collection, field: Field, value: unknown): Content =>
  field === rolesOf(collection.model).text
    ? isolated(shortened(String(value), COMPARED_CHARACTERS))
    : cellValue(field, value, collection, noHighlighter);

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

/** Similar records to compare a record with, and a field for the id of any other; without a record only the field. */
function partnersOf(collection: Collection, row: number | undefined, record: ShownRecord | undefined): Html {
  const { name } = collection.model;
  const partners = row === undefined ? [] : similarTo(collection, row, OFFERED_PARTNERS);
  const links = partners.map((partner) => {
    const { id, title } = listRecord(collection, partner);
    return html`<li><a href="${compareAddress(name, record?.id, id)}">${isolated(title)}</a></li>`;
  });
  return html`${record && html`<p><strong>${isolated(record.title)}</strong> with</p>`}
${links.length > 0 && html`<ul class="lines" role="list">${links}</ul>`}
${idForm(collection.model, record ? [record] : [], record ? 'Another' : 'Second', 'Compare')}`;
}

/** A field for the id of a further record, and one for the first where there is none. */
function idForm({ name }: CollectionModel, records: readonly ShownRecord[], which: string, button: string): Html {
  const idInput = (label: string): Html =>
    html`<label>${label} id <input type="text" name="id" inputmode="numeric" size="8" autocomplete="off"></label>`;
  const ids = records.map(({ id }) => html`<input type="hidden" name="id" value="${String(id)}">`);
  return html`<form class="row" action="/${name}/compare">${ids}${records.length === 0 && idInput('First')}${idInput(which)}<button>${button}</button></form>`;
}
