/** The `Link` header of a page (RFC 8288): relative references, so they hold behind any proxy. */
import type { Paging } from '../query/query.js';

/**
 * A long search text would stand in the header four times, and clients and proxies refuse headers beyond some 8 to
 * 16 kB: past this many bytes the header is left out.
 */
const MAX_BYTES = 4096;

/** First, previous, next and last page of `path?query`, each where it exists; null where they would be too long. */
export function pageLinks(path: string, query: string, { page, limit }: Paging, total: number): string | null {
  const last = Math.max(1, Math.ceil(total / limit));
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=', 1)[0] !== 'page');
  const link = (target: number, relation: string): string =>
    `<${path}?${[...others, `page=${target}`].join('&')}>; rel="${relation}"`;
  const links = [link(1, 'first')];
  if (page > 1) links.push(link(Math.min(page - 1, last), 'prev'));
  if (page < last) links.push(link(page + 1, 'next'));
  links.push(link(last, 'last'));
  const header = links.join(', ');
  return header.length > MAX_BYTES ? null : header;
}
