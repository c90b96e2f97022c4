/** Records' texts to their terms: one pass over the characters and one hash probe a word. */
import type { FieldText } from './search.js';
import type { Dictionary } from './tables-of.js';
import { BESIDE, FIELD, GAP, RECORD, TermStream } from './term-stream.js';
import { Tokenizer, type TokenSink } from './tokenize.js';
import { Vocabulary } from './vocabulary.js';

export class TermReader {
  /** What was read since it was last emptied. */
  readonly stream = new TermStream();

  private readonly vocabulary = new Vocabulary();
  private readonly tokenizer = new Tokenizer();
  /** The terms of words beside the text of the field being read. */
  private readonly beside: number[] = [];
  private readonly sink: TokenSink;

  constructor() {
    const { vocabulary } = this;
    const keepBeside = (units: Uint16Array, length: number): void => {
      this.addWaiting();
      this.beside.push(vocabulary.termOf(units, length));
    };
    this.sink = {
      word: (units, length) => {
        vocabulary.push(units, length);
        if (vocabulary.isFull) this.addWaiting();
      },
      compound: keepBeside,
      tail: keepBeside,
    };
  }

  /** How many terms there are so far. */
  get terms(): number {
    return this.vocabulary.terms;
  }

  dictionary(): Dictionary {
    return { words: this.vocabulary.wordTable(), stems: this.vocabulary.stemTable() };
  }

  /** Adds a record, given as the texts of its fields, to the stream. */
  read(texts: readonly FieldText[]): void {
    this.stream.add(RECORD);
    texts.forEach((text, field) => {
      if (text !== null && text.length > 0) this.readField(field, text);
    });
  }

  private readField(field: number, text: string | readonly string[]): void {
    this.stream.add(FIELD - field);
    if (typeof text === 'string') this.readText(text);
    else {
      for (const part of text) {
        this.readText(part);
        this.stream.add(GAP);
      }
    }
    if (this.beside.length > 0) this.addBeside();
  }

  private readText(text: string): void {
    this.tokenizer.tokenize(text, this.sink);
    this.addWaiting();
  }

  private addWaiting(): void {
    this.vocabulary.resolve(this.stream);
  }

  private addBeside(): void {
    this.stream.add(BESIDE);
    for (const term of this.beside) {
      this.stream.add(GAP);
      this.stream.add(term);
    }
    this.beside.length = 0;
  }
}
