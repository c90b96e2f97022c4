/**
 * Clusters are words that are tied together, or are not of letters alone (`don't`, `18F`, `node.js`, `café`), between
 * separators that tie nothing. The same ones come again and again, so what one stands for is found out once.
 */
import { int32, withRoom } from '../growable.js';
import type { ClusterReader } from './plain-words.js';
import type { TermStream } from './term-stream.js';
import type { Tokenizer, TokenSink } from './tokenize.js';
import { UNKNOWN } from './word-places.js';

/** Numbers count down from here. */
const FIRST_NUMBER = UNKNOWN - 1;

export class Clusters implements ClusterReader {
  private readonly stream: TermStream;
  private readonly tokenizer: Tokenizer;
  private readonly sink: TokenSink;
  /** The terms of the words of the cluster that is read, and of those beside them. */
  private readonly words: number[] = [];
  private readonly beside: number[] = [];
  /** Of each cluster that is kept, how many of both there are, and which. */
  private learnt = int32(1 << 10);
  private end = 0;

  constructor(stream: TermStream, tokenizer: Tokenizer, termOf: (units: Uint16Array, length: number) => number) {
    const keepBeside = (units: Uint16Array, length: number): void => {
      this.beside.push(termOf(units, length));
    };
    this.stream = stream;
    this.tokenizer = tokenizer;
    this.sink = {
      word: (units, length) => this.words.push(termOf(units, length)),
      compound: keepBeside,
      tail: keepBeside,
    };
  }

  learn(text: string, isKept: boolean): number {
    const { words, beside, stream } = this;
    words.length = 0;
    beside.length = 0;
    this.tokenizer.tokenize(text, this.sink);
    for (const term of words) stream.add(term);
    for (const term of beside) stream.addBeside(term);
    return isKept ? this.keep() : UNKNOWN;
  }

  private keep(): number {
    const { words, beside, end } = this;
    const [only] = words;
    if (only !== undefined && words.length === 1 && beside.length === 0) return only;
    const kept = [words.length, beside.length, ...words, ...beside];
    this.learnt = withRoom(this.learnt, end + kept.length, int32);
    this.learnt.set(kept, end);
    this.end += kept.length;
    return FIRST_NUMBER - end;
  }

  take(number: number): void {
    const { learnt, stream } = this;
    const at = FIRST_NUMBER - number;
    const words = at + 2;
    const beside = words + learnt[at]!;
    for (let i = words; i < beside; i++) stream.add(learnt[i]!);
    for (let i = beside; i < beside + learnt[at + 1]!; i++) stream.addBeside(learnt[i]!);
  }

  get hasMore(): boolean {
    return this.stream.hasBeside;
  }

  endField(): void {
    this.stream.endField();
  }
}
