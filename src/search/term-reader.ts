/** Records' texts to their terms: one pass over the characters and one hash probe a word. */
import { CellWords, type TextBatch } from './cell-words.js';
import { sharedCharacters } from './characters.js';
import { Clusters } from './clusters.js';
import type { FieldText } from './search.js';
import type { WordTables } from './tables.js';
import { FIELD, GAP, RECORD, TermStream } from './term-stream.js';
import { Tokenizer, type TokenSink } from './tokenize.js';
import { type ListedWords, Vocabulary } from './vocabulary.js';

/** So many plain words, or records, are read at most where the kernel could read none. */
const MOST_PATIENCE = 1 << 10;
/** Of so many records together the kernel is faster, what it has begun in vain included. */
const WORTH_A_CALL = 4;

export class TermReader {
  private readonly stream: TermStream;
  private readonly tokenizer: Tokenizer;
  private readonly vocabulary: Vocabulary;
  private readonly sink: TokenSink;
  private readonly cells: CellWords;
  private readonly clusters: Clusters;
  private batchPatience = 1;

  /** Words have the terms of their `stems`, or each a term of its own; `take` is handed what is read, a piece at a time. */
  constructor(stems: boolean, take: (entries: Int32Array) => void) {
    this.stream = new TermStream(take);
    const characters = sharedCharacters();
    const vocabulary = new Vocabulary(characters, stems);
    const termOf = (units: Uint16Array, length: number): number => vocabulary.termOf(units, length);
    const keepBeside = (units: Uint16Array, length: number): void => this.stream.addBeside(termOf(units, length));
    this.tokenizer = new Tokenizer(characters);
    this.vocabulary = vocabulary;
    this.cells = new CellWords(vocabulary.plain.cellClasses());
    this.clusters = new Clusters(this.stream, this.tokenizer, termOf);
    this.sink = {
      word: (units, length) => this.stream.add(termOf(units, length)),
      compound: keepBeside,
      tail: keepBeside,
    };
  }

  /** Hands over what was read last. */
  finish(): void {
    this.stream.handOver();
  }

  /** How many terms there are. */
  get terms(): number {
    return this.vocabulary.terms;
  }

  /** All words. */
  list(): ListedWords {
    return this.vocabulary.list();
  }

  /** What each of the terms of listed words, which have one each, is here. */
  termsOf(words: ListedWords): Uint32Array {
    return this.vocabulary.termsOf(words);
  }

  dictionary(): WordTables {
    return this.vocabulary.dictionary();
  }

  /** Adds a record, given as the texts of its fields, to the stream. */
  read(texts: readonly FieldText[]): void {
    this.stream.add(RECORD);
    texts.forEach((text, field) => {
      if (text !== null && text.length > 0) this.readField(field, text);
    });
  }

  /** Adds the first `size` records of a batch. Where the kernel reads few at a time, more and more are read one by one. */
  readBatch(batch: TextBatch, size: number): void {
    this.cells.begin(batch);
    for (let i = 0; i < size; ) {
      const { next, lacksRoom, keys } = this.cells.read(i, size);
      this.vocabulary.plain.lookUpMany(keys, (terms) => this.stream.addMany(terms), this.clusters);
      const read = next - i;
      i = next;
      if (lacksRoom && read > 0) continue;
      this.batchPatience = read >= WORTH_A_CALL ? 1 : Math.min(2 * this.batchPatience, MOST_PATIENCE);
      for (; i < Math.min(next + this.batchPatience, size); i++) this.read(batch.textsOf(i));
    }
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
    this.stream.endField();
  }

  /** The kernel reads plain words, the tokeniser all others, and more plain ones in texts that the kernel can't read. */
  private readText(text: string): void {
    const { tokenizer, stream, sink } = this;
    const { plain } = this.vocabulary;
    let patience = 1;
    tokenizer.begin(text);
    while (tokenizer.at < tokenizer.text.length) {
      const before = stream.written;
      tokenizer.at = plain.read(tokenizer.text, tokenizer.at, stream);
      patience = stream.written > before ? 1 : Math.min(2 * patience, MOST_PATIENCE);
      tokenizer.step(sink, patience);
    }
  }
}
