/** Where the values of a record's fields stand in its JSON text, found in one walk: fields stand in the model's order. */
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, QUOTE } from '../../ascii.js';
import { endOfString } from '../../batch.js';
import type { CollectionModel } from '../../model.js';

const NULL = 0x6e;

export class ValueSpans {
  /** Per field: where its value begins and ends; both 0 where the record has none. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  private readonly names: readonly Uint8Array[];

  constructor({ fields }: CollectionModel) {
    this.starts = new Int32Array(fields.length);
    this.ends = new Int32Array(fields.length);
    this.names = fields.map(({ name }) => Buffer.from(`${JSON.stringify(name)}:`));
  }

  /** Finds the values of the record that begins at `from`, those of the first `count` fields. */
  find(bytes: Uint8Array, from: number, count: number = this.names.length): void {
    const { starts, ends, names } = this;
    let at = from + 1;
    for (let field = 0; field < count; field++) {
      const name = names[field]!;
      if (!standsAt(bytes, at, name)) {
        starts[field] = 0;
        ends[field] = 0;
        continue;
      }
      const start = at + name.length;
      const end = endOfValue(bytes, start);
      const isNull = bytes[start] === NULL;
      starts[field] = isNull ? 0 : start;
      ends[field] = isNull ? 0 : end;
      at = end + 1;
    }
  }
}

function standsAt(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}

function endOfValue(bytes: Uint8Array, start: number): number {
  if (bytes[start] === QUOTE) return endOfString(bytes, start);
  if (bytes[start] === OPEN_ARRAY) return endOfList(bytes, start);
  let at = start;
  while (bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT) at++;
  return at;
}

/** The end of a list of texts. */
function endOfList(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== CLOSE_ARRAY) at = bytes[at] === QUOTE ? endOfString(bytes, at) : at + 1;
  return at + 1;
}
