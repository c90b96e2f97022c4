/**
 * The addresses of a list's pages and exports, and the `Link` header that has them (RFC 8288). They are relative, so that
 * they hold behind any proxy.
 */
import { searchExtraParameters } from '../../query/parameters.js';
import type { Paging } from '../../query/query.js';
import type { Headers } from '../response.js';
import { percentEncode } from '../semantics/percent.js';
import { mediaTypeOf } from './export/formats.js';

/**
 * A longer header is left out. A search text stands in it several times, and clients and proxies refuse headers beyond
 * 8 to 16 kB.
 */
const MAX_LINK_BYTES = 4096;

/** The parameters of HTML pages that the API does not have. */
export const PAGE_ONLY = ['view', 'unfold'];
/** The parameters of a list that its export does not have: those of one page, and of what a page shows. */
const NOT_EXPORTED = ['page', 'limit', ...PAGE_ONLY, ...searchExtraParameters.map(({ name }) => name)];

/** The address of a whole list as a file, up to the format; `query` is that of the list. */
function exportStart(path: string, query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !NOT_EXPORTED.some((name) => isNamedParameter(pair, name)))
    .map((pair) => `${pair}&`);
  return `${path}?${pairs.join('')}`;
}

/** The address of a whole list as a file; `query` is that of the list. */
export const exportAddress = (path: string, query: string, format: string): string =>
  `${exportStart(path, query)}format=${format}`;

const ALTERNATES = (['json', 'csv'] as const).map((format) => [format, mediaTypeOf(format)] as const);

export interface Meant {
  readonly name: string;
  readonly value: string;
  /** The name of the parameter that it stands for. */
  readonly insteadOf: string;
}

export interface ViewLinks {
  readonly path: string;
  /** The query string as the client wrote it. */
  readonly query: string;
  /** The path of the download that holds the whole view. */
  readonly exportPath: string;
  /** The condition in the view's path as a `name=value` pair; empty if there is none. */
  readonly exportPair: string;
  /** A parameter with a value that probably was meant, in place of another one. */
  readonly meant?: Meant | undefined;
}

/**
 * First, previous, next and last page, as far as they exist, the view's downloads, and the view that probably was meant. No header if it
 * is too long.
 */
export function pageLinks(view: ViewLinks, { page, limit }: Paging, total: number): Headers {
  const pairs = view.query.split('&').filter((pair) => pair !== '' && !isNamedParameter(pair, 'page'));
  let pageStart = `<${view.path}?`;
  for (const pair of pairs) pageStart += `${pair}&`;
  const exportQuery = view.exportPair === '' ? view.query : `${view.exportPair}&${view.query}`;
  const last = Math.max(1, Math.ceil(total / limit));
  let links = `${pageStart}page=1>; rel="first"`;
  if (page > 1) links += `, ${pageStart}page=${Math.min(page - 1, last)}>; rel="prev"`;
  if (page < last) links += `, ${pageStart}page=${page + 1}>; rel="next"`;
  links += `, ${pageStart}page=${last}>; rel="last"`;
  const file = exportStart(view.exportPath, exportQuery);
  for (const [format, type] of ALTERNATES) links += `, <${file}format=${format}>; rel="alternate"; type="${type}"`;
  if (view.meant !== undefined) {
    const { name, value, insteadOf } = view.meant;
    const meantPair = `${name}=${percentEncode(value)}`;
    const meantPairs = pairs.map((pair) => (isNamedParameter(pair, insteadOf) ? meantPair : pair));
    links += `, <${view.path}?${meantPairs.join('&')}>; rel="related"; title="Did you mean ${meantPair}?"`;
  }
  return links.length > MAX_LINK_BYTES ? {} : { Link: links };
}

const isNamedParameter = (pair: string, name: string): boolean =>
  pair.startsWith(name) && (pair.length === name.length || pair[name.length] === '=');
