/** The `Link` header of a page of a list (RFC 8288). Its references are relative, so that they hold behind any proxy. */
import type { Paging } from '../../query/query.js';
import type { Headers } from '../response.js';

/**
 * A longer header is left out. A search text stands in it several times, and clients and proxies refuse headers beyond
 * 8 to 16 kB.
 */
const MAX_LINK_BYTES = 4096;

/** The parameters that a page has, and a download has not. */
const NOT_EXPORTED = ['limit', 'highlight', 'suggest'];

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
  let pageStart = `<${view.path}?`;
  let exportStart = `<${view.exportPath}?${view.exportPair === '' ? '' : `${view.exportPair}&`}`;
  for (const pair of view.query.split('&')) {
    if (pair === '' || isNamed(pair, 'page')) continue;
    pageStart += `${pair}&`;
    if (!NOT_EXPORTED.some((name) => isNamed(pair, name))) exportStart += `${pair}&`;
  }
  const last = Math.max(1, Math.ceil(total / limit));
  let links = `${pageStart}page=1>; rel="first"`;
  if (page > 1) links += `, ${pageStart}page=${Math.min(page - 1, last)}>; rel="prev"`;
  if (page < last) links += `, ${pageStart}page=${page + 1}>; rel="next"`;
  links += `, ${pageStart}page=${last}>; rel="last"`;
  links += `, ${exportStart}format=json>; rel="alternate"; type="application/json"`;
  links += `, ${exportStart}format=csv>; rel="alternate"; type="text/csv"`;
  return links.length > MAX_LINK_BYTES ? {} : { Link: links };
}

const isNamed = (pair: string, name: string): boolean =>
  pair.startsWith(name) && (pair.length === name.length || pair[name.length] === '=');
