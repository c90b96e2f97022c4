/**
 * Style sheets, icon and scripts of the HTML pages, and the guide. All are read when the program starts: later its folder may
 * be gone, or no file be left to open. Their addresses hold a hash of the content, so that browsers may cache
 * them forever.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { NamedResource } from '../../resource.js';

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export interface Assets {
  /** A part of every page's entity tag, since pages refer to these assets. */
  readonly hash: string;
  /** The address of `style.css`, `icon.svg` or another of them. */
  readonly addressOf: (name: string) => string;
  readonly resources: readonly NamedResource[];
  /** The Markdown of the guide in the documentation. */
  readonly guide: string;
}

const CSS_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** An icon of four table rows, one of them highlighted. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b5d"/><path d="M7 9h18M7 15h18M7 24h11" stroke="#fff" stroke-opacity=".55" stroke-width="2.4" stroke-linecap="round"/><path d="M7 19.5h18" stroke="#ffd166" stroke-width="3.4" stroke-linecap="round"/></svg>`;

const FOREVER = 'public, max-age=31536000, immutable';

export function createAssets(): Assets {
  const all: readonly Asset[] = [
    { name: 'style.css', type: CSS_TYPE, text: withoutSpace(assetFile('src/http/pages/frame/pages.css')) },
    { name: 'icon.svg', type: 'image/svg+xml', text: icon },
    { name: 'script.js', type: SCRIPT_TYPE, text: assetFile('dist/browser.js') },
    { name: 'docs.css', type: CSS_TYPE, text: withoutSpace(assetFile('src/http/docs/docs.css')) },
    { name: 'docs.js', type: SCRIPT_TYPE, text: assetFile('dist/docs.js') },
  ];
  const hash = all.reduce((sum, { name, text }) => sum.update(`${name}\n${text}\n`), createHash('sha256'));
  const digest = hash.digest('base64url').slice(0, 10);
  const addressOf = (name: string): string => `/assets/${digest}/${name}`;
  return {
    hash: digest,
    guide: assetFile('src/http/docs/guide.md'),
    addressOf,
    resources: all.map(({ name, type, text }) => ({
      name: addressOf(name),
      parameters: 'ignored',
      handle: () => ({ type, key: digest, cacheControl: FOREVER, render: () => ({ body: text }) }),
    })),
  };
}

/** A style sheet without its comments and the white space that means nothing, some two thirds of its bytes. */
const withoutSpace = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();

/**
 * The text of a style sheet, script or document at a path in the project. In the built program it lies beside it; when it
 * runs from its sources, at its path. Benchmarks are compiled one folder deeper.
 */
function assetFile(path: string): string {
  const candidates = [`./${basename(path)}`, `../../../../${path}`, `../../../../../${path}`];
  const existing = candidates.map((candidate) => new URL(candidate, import.meta.url)).find(existsSync);
  if (existing === undefined) throw new Error(`${path} is missing: the program is to be built again`);
  return readFileSync(existing, 'utf8');
}
