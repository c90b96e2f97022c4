/**
 * Which words of a record a query found it by: those of the terms that it was planned with, whatever form they have
 * there. Text is read as it was when it was indexed. Only words that begin as one of the query's does are looked up: a
 * stem begins as its words do, so no other word has a term of it.
 */

import type { Found, WordFinder } from '../search.js';
import { type TokenSink, textOf } from '../tokenizer.js';
import { exactTerm } from './expansion.js';
import type { Plan, SearchContext } from './plan.js';

/** A class: closures made for each query would be interpreted for each. */
export class Finder implements TokenSink, WordFinder {
  readonly #context: SearchContext;
  readonly #plan: Plan;
  #words = 0;
  #isFound = false;

  constructor(context: SearchContext, plan: Plan) {
    this.#context = context;
    this.#plan = plan;
  }

  look(part: string): Found {
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
    this.#look(units, length);
  }

  compound(units: Uint16Array, length: number): void {
    this.#look(units, length);
  }

  tail(units: Uint16Array, length: number): void {
    this.#look(units, length);
  }

  #look(units: Uint16Array, length: number): void {
    if (this.#isFound || !this.mayBegin(units[0]!)) return;
    this.#isFound = this.#plan.terms.has(exactTerm(this.#context, textOf(units, length)));
  }
}
