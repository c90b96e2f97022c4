/** The records and fields of an export. */
import type { Collection } from '../../../store/collection.js';

export interface Export {
  readonly collection: Collection;
  /** The exported rows in their order; null for every row in snapshot order. */
  readonly rows: Uint32Array | null;
  /** Null for whole records. */
  readonly fields: readonly string[] | null;
}

export const lengthOf = ({ collection, rows }: Export): number => rows?.length ?? collection.size;
export const rowAt = ({ rows }: Export, i: number): number => (rows === null ? i : rows[i]!);
