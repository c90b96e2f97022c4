/** The checkbox for all words of a search, and the line about corrected spellings. */
import { Conditions } from '../../../query/conditions.js';
import { numberText } from '../../markup/format.js';
import { type Content, html, isolated } from '../../markup/html.js';
import { address, without, withValue } from '../frame/address.js';
import type { View } from './view.js';

/** The checkbox, with the number of records that have every word; null for a single word. `total` is the view's. */
export function allWordsSwitch({ collection, query }: View, total: number): Content {
  const { text, textOptions } = query;
  if (text === null || !/\S\s+\S/.test(text)) return null;
  const isAll = textOptions.match === 'all';
  const allWordsQuery = { ...query, textOptions: { ...textOptions, match: 'all' as const } };
  const allWordsTotal = isAll ? total : (new Conditions(collection, allWordsQuery).all?.count ?? 0);
  return html`<label class="match row soft"><input type="checkbox" id="match" name="match" value="all"${isAll ? html` checked` : null}> All words <span class="count">${numberText(allWordsTotal)}</span></label>`;
}

/** The line with the searched text, if it differs from the written one. */
export function suggestionLine({ model, collection, query, pairs }: View): Content {
  const { text, textOptions } = query;
  const searched = text === null ? null : (collection.search.suggestion?.(text, textOptions) ?? null);
  if (text === null || searched === null) return null;
  const path = `/${model.name}`;
  const firstPage = without(pairs, 'page');
  return html`<p class="suggestion">Showing results for <a href="${address(path, withValue(firstPage, 'q', searched))}"><strong>${isolated(searched)}</strong></a>. <a href="${address(path, withValue(firstPage, 'fuzzy', '0'))}">Search for <q>${isolated(text)}</q> as written</a></p>`;
}
