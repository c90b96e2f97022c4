/**
 * The addresses of a list's pages and exports, and the `Link` header that has them (RFC 8288). They are relative, so that
 * they hold behind any proxy.
 */
import { searchExtraParameters } from '../../query/parameters.js';
import type { Paging } from '../../query/query.js';
import type { Headers } from '../response.js';
import { mediaTypeOf } from './export/formats.js';

/**
 * A longer header is left out. A search text stands in it several times, and clients and proxies refuse headers beyond
 * 8 to 16 kB.
 */
const MAX_LINK_BYTES = 4096;

/** The parameters of HTML pages that the API does not have. */
export const PAGE_ONLY = ['view', 'unfold'];
/** The parameters of a list that its export does not have: those of one page, and of what a page shows. */
const NOT_EXPORTED = new Set(['page', 'limit', ...PAGE_ONLY, ...searchExtraParameters.map(({ name }) => name)]);
const PAGE_NUMBER = new Set(['page']);

/** The pairs of a query string but those of some parameters, with a `&` behind each. */
function pairsBut(query: string, names: ReadonlySet<string>): string {
  let pairs = '';
  for (let from = 0; from < query.length; ) {
    const end = query.indexOf('&', from);
    const to = end < 0 ? query.length : end;
    const pair = query.slice(from, to);
    const equals = pair.indexOf('=');
    if (pair !== '' && !names.has(equals < 0 ? pair : pair.slice(0, equals))) pairs += `${pair}&`;
    from = to + 1;
  }
  return pairs;
}

/** The address of a whole list as a file; `query` is that of the list. */
export const exportAddress = (path: string, query: string, format: string): string =>
  `${path}?${pairsBut(query, NOT_EXPORTED)}format=${format}`;

const ALTERNATES = (['json', 'csv'] as const).map((format) => [format, mediaTypeOf(format)] as const);

export interface ViewLinks {
  readonly path: string;
  /** The query string as the client wrote it. */
  readonly query: string;
  /** The path of the download that holds the whole view. */
  readonly exportPath: string;
  /** The condition in the view's path as a `name=value` pair; empty if there is none. */
  readonly exportPair: string;
}

/** First, previous, next and last page, as far as they exist, and the view's downloads. No header if it is too long. */
export function pageLinks(view: ViewLinks, { page, limit }: Paging, total: number): Headers {
  const { path, query, exportPair } = view;
  const start = `<${path}?${pairsBut(query, PAGE_NUMBER)}page=`;
  const file = `<${view.exportPath}?${exportPair === '' ? '' : `${exportPair}&`}${pairsBut(query, NOT_EXPORTED)}format=`;
  const last = Math.max(1, Math.ceil(total / limit));
  let links = `${start}1>; rel="first"`;
  if (page > 1) links += `, ${start}${Math.min(page - 1, last)}>; rel="prev"`;
  if (page < last) links += `, ${start}${page + 1}>; rel="next"`;
  links += `, ${start}${last}>; rel="last"`;
  for (const [format, type] of ALTERNATES) links += `, ${file}${format}>; rel="alternate"; type="${type}"`;
  return links.length > MAX_LINK_BYTES ? {} : { Link: links };
}
