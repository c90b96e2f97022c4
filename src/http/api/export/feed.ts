/**
 * Feeds of a view: Atom (RFC 4287) and JSON Feed 1.1, the newest items first. An item's id is a hash of the collection, the record's
 * id and its contents: the same on every server and in every order, and another one once the record changes, so that readers show it
 * anew. Links of records without an address are relative: the host is not known here.
 */
import { createHash } from 'node:crypto';
import type { FeedFormat } from '../../../query/parameters.js';
import { html } from '../../markup/html.js';
import type { Representation } from '../../response.js';
import { disposition } from './formats.js';

export interface FeedItem {
  /** Texts that no other item, and no other version of this one, has. */
  readonly identity: readonly string[];
  readonly title: string;
  readonly author: string | null;
  /** An ISO date. */
  readonly updated: string;
  /** An address, or a path on this server. */
  readonly link: string;
  readonly image: string | null;
  readonly tags: readonly string[];
  readonly content: string;
}

export interface Feed {
  readonly title: string;
  /** The path and query of the feed itself. */
  readonly self: string;
  /** The page of the same view. */
  readonly page: string;
  /** The ISO date of the dump. */
  readonly updated: string;
  readonly items: readonly FeedItem[];
}

const feedTypes: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  jsonfeed: 'application/feed+json; charset=utf-8',
};

/** `application/atom+xml`, without the parameters of the type. */
export const feedMediaType = (format: FeedFormat): string => feedTypes[format].replace(/;.*/, '');

/** `key` tells what the feed depends on besides the records. */
export const feedRepresentation = (
  format: FeedFormat,
  name: string,
  key: string,
  feed: () => Feed,
): Extract<Representation, { readonly render: unknown }> => ({
  type: feedTypes[format],
  key: `feed ${key}`,
  render: () => ({
    body: format === 'atom' ? atomText(feed()) : jsonFeedText(feed()),
    headers: { 'Content-Disposition': disposition('inline', `${name}.${format === 'atom' ? 'xml' : 'json'}`) },
  }),
});

const AUTHOR = 'Scraper Data API';

function atomText({ title, self, page, updated, items }: Feed): string {
  const entries = items.map(
    (item) => html`<entry>
<id>${uuidOf(item.identity)}</id>
<title>${xmlText(item.title)}</title>
<updated>${item.updated}</updated>
<link rel="alternate" href="${iri(item.link)}"/>
${item.author === null ? null : html`<author><name>${xmlText(item.author)}</name></author>\n`}${item.tags.map((tag) => html`<category term="${xmlText(tag)}"/>\n`)}<content type="text">${xmlText(item.content)}</content>
</entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${uuidOf(['feed', self])}</id>
<title>${xmlText(title)}</title>
<updated>${latest(items, updated)}</updated>
<link rel="self" href="${iri(self)}"/>
<link rel="alternate" href="${iri(page)}"/>
<author><name>${AUTHOR}</name></author>
${entries}</feed>
`}`;
}

/** Links are left out where they are relative: readers of JSON feeds expect addresses. */
function jsonFeedText({ title, items }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    items: items.map(({ identity, title: itemTitle, author, updated, link, image, tags, content }) => ({
      id: uuidOf(identity),
      ...(isHttpLink(link) && { url: link }),
      title: itemTitle,
      content_text: content,
      date_published: updated,
      ...(image !== null && isHttpLink(image) && { image }),
      ...(author !== null && { authors: [{ name: author }] }),
      ...(tags.length > 0 && { tags }),
    })),
  });
}

const isHttpLink = (link: string): boolean => /^https?:\/\//i.test(link);

/** The latest date of the items; of none, that of the dump. */
const latest = (items: readonly FeedItem[], updated: string): string =>
  items.reduce((last, item) => (item.updated > last ? item.updated : last), items[0]?.updated ?? updated);

/** A URN whose bits are a hash (RFC 9562, version 8). */
function uuidOf(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** The text without characters that XML 1.0 cannot have (section 2.2): most control characters. The encoding replaces halves of characters. */
const xmlText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes.
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');

/** An address in which what no IRI has is encoded (RFC 3987): blanks, quotes, brackets. */
const iri = (address: string): string =>
  xmlText(address).replace(/[\s"<>\\^`{|}]|%(?![\da-f]{2})/gi, (character) => encodeURIComponent(character));
