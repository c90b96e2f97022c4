/** How the words of a search are taken: a switch for all of them, and what is said of words that no record has, or few. */
import { Conditions } from '../../../query/conditions.js';
import { numberText } from '../../markup/format.js';
import { type Content, html, isolated } from '../../markup/html.js';
import { address, without, withValue } from '../frame/address.js';
import type { View } from './view.js';

/** What would be left if every word had to occur; nothing for a single word. `total` is how many match as it is. */
export function allWordsSwitch({ collection, query }: View, total: number): Content {
  const { text, textOptions } = query;
  if (text === null || !/\S\s+\S/.test(text)) return null;
  const isAll = textOptions.match === 'all';
  const asked = { ...query, textOptions: { ...textOptions, match: 'all' as const } };
  const left = isAll ? total : (new Conditions(collection, asked).all?.count ?? 0);
  return html`<label class="all-words"><input type="checkbox" id="match" name="match" value="all"${isAll ? html` checked` : null}> All words <span class="count">${numberText(left)}</span></label>`;
}

/** The text as it was searched, where that is not as it was written. */
export function suggestionLine({ model, collection, query, pairs }: View): Content {
  const { text, textOptions } = query;
  const searched = text === null ? null : (collection.search.suggestion?.(text, textOptions) ?? null);
  if (text === null || searched === null) return null;
  const path = `/${model.name}`;
  const others = without(pairs, 'page');
  return html`<p class="suggestion">Showing results for <a href="${address(path, withValue(others, 'q', searched))}"><em>${isolated(searched)}</em></a>. <a href="${address(path, withValue(others, 'fuzzy', '0'))}">Search for <q>${isolated(text)}</q> as written</a></p>`;
}
