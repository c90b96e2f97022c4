/**
 * The orders of names that a file's records have, as a tree over the names' bytes: a record's names are recognised one by
 * one while its bytes are read, and the last of them leads to its columns. Orders are learnt from records that were parsed.
 */
import type { Columns } from './columns.js';

export interface NameNode {
  /** The name in its quotes; it holds no escape. */
  readonly quoted: Uint8Array;
  /** The field that is read from it, or -1. */
  readonly field: number;
  readonly next: NameNode[];
  /** Where a record may end with this name. */
  columns: Columns | undefined;
}

/** More orders than this are no longer recognised: such records are parsed. */
const MAX_ORDERS = 64;

export class RawNames {
  first: NameNode[] = [];
  #orders = new Set<Columns>();

  knows(columns: Columns): boolean {
    return this.#orders.has(columns);
  }

  learn(columns: Columns): void {
    if (this.#orders.size === MAX_ORDERS) return;
    this.#orders.add(columns);
    const used = columns.positions.filter((position) => position >= 0);
    if (new Set(used).size < used.length) return;
    const fieldOf = new Map(columns.positions.map((position, field) => [position, field]));
    let nodes = this.first;
    let last: NameNode | undefined;
    for (const [position, name] of columns.names.entries()) {
      const node = nodeFor(nodes, JSON.stringify(name), fieldOf.get(position) ?? -1);
      if (node === undefined) return;
      last = node;
      nodes = node.next;
    }
    if (last) last.columns = columns;
  }

  /** Columns that are no longer counted must not be led to. */
  forget(): void {
    this.first = [];
    this.#orders.clear();
  }
}

/** Undefined where a name cannot be told by its bytes, or means another field in records that began like this one. */
function nodeFor(nodes: NameNode[], quotedName: string, field: number): NameNode | undefined {
  if (quotedName.includes('\\')) return undefined;
  const quoted = Buffer.from(quotedName);
  const known = nodes.find((node) => quoted.equals(node.quoted));
  if (known) return known.field === field ? known : undefined;
  const node = { quoted, field, next: [], columns: undefined };
  nodes.push(node);
  return node;
}

/** The node whose name stands at `at`. */
export function findName(nodes: readonly NameNode[], bytes: Uint8Array, at: number): NameNode | undefined {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    const { quoted } = node;
    let j = 0;
    while (j < quoted.length && bytes[at + j] === quoted[j]) j++;
    if (j === quoted.length) return node;
  }
  return undefined;
}
