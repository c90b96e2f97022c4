/**
 * Finds the words of a record that a query matched, in whatever form: the words whose terms are in the plan. The text is
 * tokenised as it was when it was indexed. Only words whose first letter the query's words have are looked up: a stem has
 * the first letter of its words, so no other word can have a term of the plan.
 */

import type { PartMatch, WordFinder } from '../search.js';
import { stringOf, type TokenSink } from '../tokenizer.js';
import { termOfWord } from './expansion.js';
import type { SearchContext, SearchPlan } from './plan.js';

/** A class, since V8 would interpret closures that are made anew for each query. */
export class Finder implements TokenSink, WordFinder {
  readonly #context: SearchContext;
  readonly #plan: SearchPlan;
  #words = 0;
  #isFound = false;

  constructor(context: SearchContext, plan: SearchPlan) {
    this.#context = context;
    this.#plan = plan;
  }

  look(part: string): PartMatch {
    this.#words = 0;
    this.#isFound = false;
    this.#context.tokenizer.tokenize(part, this);
    return { words: this.#words, isFound: this.#isFound };
  }

  mayBegin(unit: number): boolean {
    return this.#plan.initials.has(unit);
  }

  word(units: Uint16Array, length: number): void {
    this.#words++;
    this.#lookUp(units, length);
  }

  compound(units: Uint16Array, length: number): void {
    this.#lookUp(units, length);
  }

  tail(units: Uint16Array, length: number): void {
    this.#lookUp(units, length);
  }

  #lookUp(units: Uint16Array, length: number): void {
    if (this.#isFound || !this.mayBegin(units[0]!)) return;
    this.#isFound = this.#plan.terms.has(termOfWord(this.#context, stringOf(units, length)));
  }
}
