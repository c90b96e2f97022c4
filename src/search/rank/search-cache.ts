/** The latest searches, each with its plan and the rows ranked so far: the next page needs no plan and little ranking. */
import type { SearchPlan } from './plan.js';
import { NOTHING_RANKED, type Ranked } from './ranker.js';

const MAX_SEARCHES = 64;
/**
 * Limit of the rows and words of bits in all cached searches, at most 12 bytes each; the least recently used go first. They are
 * counted anew each time, since a row set grows when its other form is first read.
 */
const MAX_ENTRIES = 1_000_000;

export interface CachedSearch {
  readonly plan: SearchPlan;
  ranked: Ranked;
}

export class SearchCache {
  readonly #searches = new Map<string, CachedSearch>();
  /** The cached search of a key, or a new one with the result of `plan`. */
  recall(key: string, plan: () => SearchPlan): CachedSearch {
    const search = this.#searches.get(key) ?? { plan: plan(), ranked: NOTHING_RANKED };
    this.#searches.delete(key);
    this.#searches.set(key, search);
    this.#evict();
    return search;
  }

  get size(): number {
    return this.#searches.size;
  }

  #evict(): void {
    let entries = 0;
    for (const search of this.#searches.values()) entries += this.#entriesOf(search);
    for (const [key, search] of this.#searches) {
      const { size } = this.#searches;
      if (size <= 1 || (size <= MAX_SEARCHES && entries <= MAX_ENTRIES)) return;
      entries -= this.#entriesOf(search);
      this.#searches.delete(key);
    }
  }

  #entriesOf({ ranked, plan: { rows, wordRows } }: CachedSearch): number {
    const numbers = rows === wordRows ? 0 : wordRows.heldNumbers;
    return ranked.rows.length + rows.heldNumbers + numbers;
  }
}
