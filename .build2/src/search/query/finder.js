/**
 * Which words of a record a query found it by: those of the terms that it was planned with, whatever form they have
 * there. Text is read as it was when it was indexed. Only words that begin as one of the query's does are looked up: a
 * stem begins as its words do, so no other word has a term of it.
 */
import { exactTerm } from './expansion.js';
/** A class: closures made for each query would be interpreted for each. */
export class Finder {
    #tables;
    #tokenizer;
    #plan;
    #words = 0;
    #isFound = false;
    constructor(tables, tokenizer, plan) {
        this.#tables = tables;
        this.#tokenizer = tokenizer;
        this.#plan = plan;
    }
    look(part) {
        this.#words = 0;
        this.#isFound = false;
        this.#tokenizer.tokenize(part, this);
        return { words: this.#words, isFound: this.#isFound };
    }
    mayBegin(unit) {
        return this.#plan.initials.has(unit);
    }
    word(units, length) {
        this.#words++;
        this.#look(units, length);
    }
    compound(units, length) {
        this.#look(units, length);
    }
    tail(units, length) {
        this.#look(units, length);
    }
    #look(units, length) {
        if (this.#isFound || !this.mayBegin(units[0]))
            return;
        this.#isFound = this.#plan.terms.has(exactTerm(this.#tables, String.fromCharCode(...units.subarray(0, length))));
    }
}
