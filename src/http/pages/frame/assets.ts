/**
 * The stylesheet, the icon and the browser's script, under addresses that hold a hash of their content: kept by browsers for good,
 * and never stale.
 */
import { createHash } from 'node:crypto';
import { assetFile } from '../../asset-file.js';
import type { Resource } from '../../routing.js';

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export interface Assets {
  /** Tells apart pages that refer to other assets. */
  readonly hash: string;
  readonly stylesheet: string;
  readonly icon: string;
  readonly script: string;
  readonly resources: readonly Resource[];
}

/** Four rows of a table, one of them found. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b5d"/><path d="M7 9h18M7 15h18M7 24h11" stroke="#fff" stroke-opacity=".55" stroke-width="2.4" stroke-linecap="round"/><path d="M7 19.5h18" stroke="#ffd166" stroke-width="3.4" stroke-linecap="round"/></svg>`;

const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

export function createAssets(): Assets {
  const scriptText = assetFile('dist/browser.js');
  const script: Asset = { name: 'script.js', type: 'text/javascript; charset=utf-8', text: scriptText };
  const sheetText = assetFile('src/http/pages/frame/pages.css');
  const sheet: Asset = { name: 'style.css', type: 'text/css; charset=utf-8', text: sheetText };
  const picture: Asset = { name: 'icon.svg', type: 'image/svg+xml', text: icon };
  const all = [sheet, picture, script];
  const hash = all.reduce((sum, { name, text }) => sum.update(`${name}\n${text}\n`), createHash('sha256'));
  const digest = hash.digest('base64url').slice(0, 10);
  const pathOf = ({ name }: Asset): string => `/assets/${digest}/${name}`;
  return {
    hash: digest,
    stylesheet: pathOf(sheet),
    icon: pathOf(picture),
    script: pathOf(script),
    resources: all.map((asset) => ({
      path: pathOf(asset),
      handle: () => ({
        status: 200,
        type: asset.type,
        key: digest,
        render: () => ({ body: asset.text, headers: FOREVER }),
      }),
    })),
  };
}
