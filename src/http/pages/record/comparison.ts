/**
 * The HTML page of records side by side: a line for each field that one of them has, marked where their values differ. A single
 * record is offered others to stand beside it.
 */
import { type CollectionModel, type Field, ID_FIELD, isNumeric } from '../../../model.js';
import { idParameter, type Parameter } from '../../../query/parameters.js';
import { similarTo } from '../../../query/similar.js';
import type { Collection } from '../../../store/collection.js';
import { noHighlighter } from '../../highlight/highlight.js';
import { collectionTitle, labelOf, numberText, separateWords, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { listedDiff } from '../changes/record-changes.js';
import { isIdentity } from '../counting/offered-fields.js';
import { EXACT_DIGITS, numberValue } from '../fields/number-value.js';
import { address, recordAddress } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { cover } from './image.js';
import { listRecord, rolesOf, type ShownRecord, shownRecord } from './record.js';
import { cellValue, isMissing } from './value.js';

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
    title: html`${records.length === 0 ? 'Compare' : html`Compare ${records.map(({ title }) => title).join(', ')}`} &ndash; ${name}`,
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
  const lines = comparedFields(model).flatMap((field) => {
    const values = records.map((record) => record.valueOf(field));
    return values.every(isMissing) ? [] : [{ field, values, differs: new Set(values.map(comparableText)).size > 1 }];
  });
  const different = lines.filter(({ differs }) => differs).length;
  const head = records.map(
    (record) =>
      html`<th role="columnheader" scope="col">${image ? cover(model, record, { alt: '', size: 'small' }) : null}<a href="${recordAddress(model.name, record.id, [])}">${isolated(record.title)}</a></th>`,
  );
  const areAllDifferent = different === lines.length;
  return html`<p class="row"><span>${areAllDifferent ? 'All' : `${numberText(different)} of`} ${numberText(lines.length)} fields differ</span>${!areAllDifferent && html`<label class="row soft"><input type="checkbox" id="only-different"> Only these</label>`}</p>
<div class="scroll compared${areAllDifferent ? ' differing' : ''}"><table role="table" aria-label="Compared ${separateWords(model.name)}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="lead">Field</th>${head}</tr></thead>
<tbody role="rowgroup">${lines.map(({ field, values, differs }) => comparedLine(collection, records, field, values, differs))}</tbody></table></div>`;
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
  field: Field,
  values: readonly unknown[],
  differs: boolean,
): Html {
  const cells = values.map((value, i) => {
    const first = values[0];
    const content =
      (i > 0 && values.length === 2 && listedDiff(first, value, MARKED_LIMITS)) ||
      comparedValue(collection, field, value);
    return html`<td role="cell" data-label="${records[i]?.title}">${isMissing(value) ? html`<span class="soft">&ndash;</span>` : content}${i > 0 && distanceFrom(collection, field, first, value)}</td>`;
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

/** ` +3.00`: how far a number is from that of the first record; null of numbers that name things. */
function distanceFrom(collection: Collection, field: Field, first: unknown, value: unknown): Content {
  const isMeasure = isNumeric(field.kind) && !isIdentity(collection, field);
  if (!isMeasure || typeof first !== 'number' || typeof value !== 'number' || first === value) return null;
  const distance = Number((value - first).toPrecision(EXACT_DIGITS));
  const [sign, size] = [distance > 0 ? '+' : '\u2212', Math.abs(distance)];
  return html` <span class="distance soft small">${sign}${numberValue(collection, field, size)}</span>`;
}

const OFFERED_PARTNERS = 8;

/** Similar records to compare a record with, and a field for the id of any other; without a record only the field. */
function partnersOf(collection: Collection, row: number | undefined, record: ShownRecord | undefined): Html {
  const { name, singular } = collection.model;
  const partners = row === undefined ? [] : similarTo(collection, row, OFFERED_PARTNERS);
  const links = partners.map((partner) => {
    const { id, title } = listRecord(collection, partner);
    return html`<li><a href="${compareAddress(name, record?.id, id)}">${isolated(title)}</a></li>`;
  });
  return html`${record && html`<p><strong>${isolated(record.title)}</strong> with</p>`}
${links.length > 0 && html`<ul class="lines" role="list">${links}</ul>`}
<form class="row" action="/${name}/compare">${record ? html`<input type="hidden" name="id" value="${String(record.id)}">` : idInput('First')}${idInput(record ? 'Another' : 'Second')}<button>Compare</button> <span class="soft">by the id of ${separateWords(singular)}</span></form>`;
}

const idInput = (which: string): Html =>
  html`<label>${which} id <input type="text" name="id" inputmode="numeric" size="8" autocomplete="off"></label>`;
