/** The `Link` header of a page (RFC 8288): relative references, so they hold behind any proxy. */
import type { Paging } from '../../query/query.js';
import type { Headers } from '../response.js';

/**
 * A long search text would stand in the header several times, and clients and proxies refuse headers beyond some 8 to
 * 16 kB: past this many bytes the header is left out.
 */
const MAX_BYTES = 4096;

/** What a page is asked for, and a download is not. */
const NOT_EXPORTED = ['limit', 'highlight', 'suggest'];

export interface ViewLinks {
  readonly path: string;
  /** The query string as the client wrote it. */
  readonly query: string;
  /** Where the view's whole is a download. */
  readonly exportPath: string;
  /** A condition that the view's path holds, as a `name=value` pair, or nothing. */
  readonly exportPair: string;
}

/** First, previous, next and last page, each where it exists, and the view as files; none where that is too long. */
export function pageLinks(view: ViewLinks, { page, limit }: Paging, total: number): Headers {
  let others = `<${view.path}?`;
  let exported = `<${view.exportPath}?${view.exportPair === '' ? '' : `${view.exportPair}&`}`;
  for (const pair of view.query.split('&')) {
    if (pair === '' || isNamed(pair, 'page')) continue;
    others += `${pair}&`;
    if (!NOT_EXPORTED.some((name) => isNamed(pair, name))) exported += `${pair}&`;
  }
  const last = Math.max(1, Math.ceil(total / limit));
  let links = `${others}page=1>; rel="first"`;
  if (page > 1) links += `, ${others}page=${Math.min(page - 1, last)}>; rel="prev"`;
  if (page < last) links += `, ${others}page=${page + 1}>; rel="next"`;
  links += `, ${others}page=${last}>; rel="last"`;
  links += `, ${exported}format=json>; rel="alternate"; type="application/json"`;
  links += `, ${exported}format=csv>; rel="alternate"; type="text/csv"`;
  return links.length > MAX_BYTES ? {} : { Link: links };
}

const isNamed = (pair: string, name: string): boolean =>
  pair.startsWith(name) && (pair.length === name.length || pair[name.length] === '=');
