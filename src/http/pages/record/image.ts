/**
 * Pictures of records. A picture on the web is shown from there. A `data:` picture within a record is served under its own
 * path, so that lists stay small and it is fetched only when it is shown. Such a picture is sandboxed, so that an SVG that
 * is opened alone runs no script.
 */

import { notFound } from '../../../errors.js';
import { type CollectionModel, collectionOf } from '../../../model.js';
import { idParameter } from '../../../query/parameters.js';
import { rowOfId } from '../../../store/ids.js';
import { quote } from '../../../text.js';
import { webAddress } from '../../markup/format.js';
import { type Content, html } from '../../markup/html.js';
import type { NamedResource } from '../../resource.js';
import { errorResponse } from '../../response.js';
import { percentEncode } from '../../semantics/percent.js';
import { listRecord, rolesOf, type ShownRecord } from './record.js';

const DATA = /^\s*data:(image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml))((?:;[\w.+-]+=[\w.+-]+)*)(;base64)?,(.*)$/is;

const imagePath = (model: CollectionModel, field: string): string => `/${model.name}/${field}`;

/** The address of a record's picture; null if it has none that may be shown. */
export function imageAddress(model: CollectionModel, record: ShownRecord): string | null {
  const { image } = rolesOf(model);
  const value = image && record.valueOf(image);
  if (image === undefined || typeof value !== 'string') return null;
  if (/^\s*data:image\//i.test(value)) return `${imagePath(model, image.name)}/${percentEncode(String(record.id))}`;
  return webAddress(value)?.href ?? null;
}

interface Cover {
  readonly alt: string;
  readonly size: 'small' | 'large';
  readonly isEager?: boolean;
}

/** A picture in its room, which is empty where there is none, or it fails to load. */
export function cover(model: CollectionModel, record: ShownRecord, options: Cover): Content {
  const { alt, size, isEager = false } = options;
  const source = imageAddress(model, record);
  const picture =
    source &&
    html`<img src="${source}" alt="${alt}" referrerpolicy="no-referrer" loading="${isEager ? 'eager' : 'lazy'}" decoding="async">`;
  return html`<span class="cover ${size}">${picture}</span>`;
}

/** The type and bytes of a `data:` address (RFC 2397), or null for one that is no picture. */
export function parseDataImage(text: string): { readonly type: string; readonly bytes: Buffer<ArrayBuffer> } | null {
  const match = DATA.exec(text);
  if (match === null) return null;
  const [, type = '', , base64, payload = ''] = match;
  // Characters beyond ASCII count as their UTF-8 bytes.
  const bytes = Buffer.from(payload).toString('latin1');
  const plain = bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { type: type.toLowerCase(), bytes: Buffer.from(plain, base64 === undefined ? 'latin1' : 'base64') };
}

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A resource for each picture field, which serves the `data:` pictures of records by id. */
export const imageResources = (model: CollectionModel): readonly NamedResource[] =>
  model.fields
    .filter((field) => field.role === 'image')
    .map((field) => ({
      name: field.name,
      pathParameter: idParameter,
      parameters: [],
      handle({ dataset, values }) {
        const collection = collectionOf(dataset.collections, model.name);
        const id = String(values.get('id')?.[0]);
        const row = rowOfId(collection.ids, Number(id));
        const value = row < 0 ? null : listRecord(collection, row).valueOf(field);
        const image = typeof value === 'string' ? parseDataImage(value) : null;
        if (image === null) return errorResponse(notFound(`${model.singular} ${quote(id)} holds no picture.`));
        const headers = { 'Content-Security-Policy': SANDBOX };
        return { type: image.type, render: () => ({ body: image.bytes, headers }) };
      },
    }));
