/** Records with some of their fields only, as JSON in the order in which the fields were asked for. A list that a record lacks is left out. */

import { CLOSE_OBJECT, COMMA, OPEN_OBJECT } from '../kernels/ascii.js';
import type { CollectionModel } from '../model.js';
import { Members } from './members.js';

export class Projection {
  readonly #members: Members;
  /** Per field: its number in the model, and its name and colon as JSON. */
  readonly #fields: readonly { readonly number: number; readonly name: Buffer }[];
  readonly #last: number;

  constructor(model: CollectionModel, names: readonly string[]) {
    this.#members = new Members(model);
    this.#fields = names.map((name) => ({
      number: model.fields.findIndex((field) => field.name === name),
      name: Buffer.from(`${JSON.stringify(name)}:`),
    }));
    this.#last = Math.max(...this.#fields.map(({ number }) => number));
  }

  /** Bytes of the projected record. Takes time by the bytes of the record up to its last projected field. */
  lengthOf(record: Buffer): number {
    const members = this.#members.read(record, this.#last);
    // An opening brace, and behind each member a comma, or at the end a brace.
    let length = 1;
    for (const { number, name } of this.#fields) {
      const valueLength = members.length(number);
      if (valueLength > 0) length += name.length + valueLength + 1;
    }
    return Math.max(2, length);
  }

  /** Writes the projected record to `target` at `at`, where `lengthOf` bytes must fit; returns its end. */
  write(record: Buffer, target: Buffer, at: number): number {
    const members = this.#members.read(record, this.#last);
    let end = at;
    target[end++] = OPEN_OBJECT;
    for (const { number, name } of this.#fields) {
      if (members.length(number) === 0) continue;
      end += name.copy(target, end);
      end += members.bytes(number).copy(target, end);
      target[end++] = COMMA;
    }
    if (end > at + 1) end--;
    target[end++] = CLOSE_OBJECT;
    return end;
  }

  /** The projected record. */
  bytesOf(record: Buffer): Buffer<ArrayBuffer> {
    const target = Buffer.allocUnsafe(this.lengthOf(record));
    this.write(record, target, 0);
    return target;
  }
}
