/** The exports of `kernels/inversion.ts`. `shared` and `room` are addresses of the tables in `inversion-layout.ts`. */
interface Counter {
  readonly value: number;
}

export interface InversionKernel {
  readonly maxPosition: Counter;
  readonly postings: Counter;
  readonly postingAt: Counter;
  readonly positionAt: Counter;
  readonly blocks: Counter;
  measure(shared: number, from: number, to: number): void;
  endMeasure(shared: number): void;
  sort(shared: number, room: number, fromRow: number, toRow: number, firstTerm: number, endTerm: number): void;
  beginTerms(room: number): void;
  writeTerms(shared: number, room: number, term: number, terms: number, maxPostings: number): number;
  writeTerm(shared: number, room: number, term: number, isDense: boolean): void;
  writeBitmap(room: number): void;
  writeDense(room: number, rows: number): void;
}
