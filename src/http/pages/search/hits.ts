/**
 * Records as links, each with its picture, what tells it from others of the same title, and where it has the words of a search.
 * The search of everything lists them, and so do the pages of a record and of records side by side.
 */
import { type CollectionModel, type Field, fieldOf, isNumeric } from '../../../model.js';
import type { Query } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { createHighlighter, type Highlighter } from '../../highlight/highlight.js';
import { labelOf, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { hasValues, mainDate } from '../counting/offered-fields.js';
import { hasOwnUnit, tellingMeasures } from '../groups/choices.js';
import { cover } from '../record/image.js';
import { measureValue } from '../record/other-fields.js';
import { rolesOf, type ShownRecord, shownRecord } from '../record/record.js';
import { isMissing } from '../record/value.js';

/** Bound on the bytes of all records whose texts are read for a list of hits. */
const HIT_BYTES = 1 << 18;

/** `query` is the search whose words are marked. */
export function hitList(
  collection: Collection,
  rows: ArrayLike<number>,
  query: Query,
  addressOf: (record: ShownRecord) => string,
): Html {
  const { model, search } = collection;
  const highlighter = createHighlighter(search, query);
  const factFields = tellingFields(collection);
  const { image } = rolesOf(model);
  const hasCovers = image !== undefined && hasValues(collection, image);
  const items = Array.from(rows, (row) => {
    const record = shownRecord(collection, row, Math.floor(HIT_BYTES / rows.length));
    const title = highlighter.mark(record.title);
    const where = foundIn(model, record, highlighter, title !== record.title);
    const facts = factFields.flatMap((field) => hitFact(collection, field, record) ?? []);
    const line = [...facts, ...(where === null ? [] : [isolated(where)])];
    const picture = hasCovers && cover(model, record, { alt: '', size: 'small' });
    return html`<li><a class="beside" href="${addressOf(record)}">${picture}<div><span class="name">${isolated(title)}</span> <span class="snippet soft">${line.map((part, i) => html`${i > 0 ? ' · ' : null}${part}`)}</span></div></a></li>`;
  });
  return html`<ul class="hits lines" role="list">${items}</ul>`;
}

/** The author, the date and the measures, by which hits of one title are told apart. */
function tellingFields(collection: Collection): readonly Field[] {
  const fields = [fieldOf(collection.model, 'author'), ...tellingMeasures(collection), mainDate(collection)];
  return fields.filter((field) => field !== undefined);
}

/** A hit is a link, so that its values have none. */
function hitFact(collection: Collection, field: Field, record: ShownRecord): Content {
  const value = record.valueOf(field);
  if (isMissing(value)) return null;
  if (field.role === 'author') return isolated(shortened([value].flat().join(', '), 40));
  const isNamed = isNumeric(field.kind) && !hasOwnUnit(field);
  return html`${isNamed && `${labelOf(field)} `}${measureValue(collection, record, field)}`;
}

/**
 * Where the words occur besides the title: a part of the long text, or else of a title without them, the first other field
 * that has them, such as `City: Berlin`.
 */
function foundIn(
  model: CollectionModel,
  record: ShownRecord,
  highlighter: Highlighter,
  isTitleMarked: boolean,
): Html | null {
  const snippetOf = (field: Field): Html | null => {
    const value = [record.valueOf(field)].flat().filter((one) => typeof one === 'string');
    return highlighter.snippet(value.join(', '));
  };
  const body = fieldOf(model, 'body');
  const snippet = body === undefined ? null : snippetOf(body);
  if (snippet !== null || isTitleMarked) return snippet;
  for (const field of model.fields) {
    const part = field === body || field.searchWeight === undefined ? null : snippetOf(field);
    if (part !== null) return html`${isolated(labelOf(field))}: ${part}`;
  }
  return null;
}
