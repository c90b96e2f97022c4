/** The `Link` header of a page (RFC 8288): relative references, so they hold behind any proxy. */
import type { Paging } from '../query/query.js';

/**
 * A long search text would stand in the header several times, and clients and proxies refuse headers beyond some 8 to
 * 16 kB: past this many bytes the header is left out.
 */
const MAX_BYTES = 4096;

export interface ViewLinks {
  readonly path: string;
  /** The query string as the client wrote it. */
  readonly query: string;
  /** Where the view's whole is a download. */
  readonly exportPath: string;
  /** A condition that the view's path holds, as a `name=value` pair, or nothing. */
  readonly exportPair: string;
}

/** First, previous, next and last page, each where it exists, and the view as files; null where that is too long. */
export function pageLinks(view: ViewLinks, { page, limit }: Paging, total: number): string | null {
  const last = Math.max(1, Math.ceil(total / limit));
  const pairs = view.query.split('&').filter((pair) => pair !== '');
  const without = (...names: readonly string[]) => pairs.filter((pair) => !names.includes(pair.split('=', 1)[0] ?? ''));
  const others = `${view.path}?${[...without('page'), 'page='].join('&')}`;
  const pageLink = (target: number, relation: string): string => `<${others}${target}>; rel="${relation}"`;
  const links = [pageLink(1, 'first')];
  if (page > 1) links.push(pageLink(Math.min(page - 1, last), 'prev'));
  if (page < last) links.push(pageLink(page + 1, 'next'));
  links.push(pageLink(last, 'last'));
  const exported = [view.exportPair, ...without('page', 'limit'), 'format='].filter((pair) => pair !== '').join('&');
  const exportLink = (format: string, type: string): string =>
    `<${view.exportPath}?${exported}${format}>; rel="alternate"; type="${type}"`;
  links.push(exportLink('json', 'application/json'), exportLink('csv', 'text/csv'));
  const header = links.join(', ');
  return header.length > MAX_BYTES ? null : header;
}
