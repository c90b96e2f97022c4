/** What `kernels/inversion.ts` exports. */
interface Counter {
  readonly value: number;
}

export interface InversionKernel {
  readonly maxStacked: Counter;
  readonly postings: Counter;
  readonly maxFrequency: Counter;
  readonly maxPositions: Counter;
  readonly maxInBlock: Counter;
  readonly postingAt: Counter;
  readonly positionAt: Counter;
  readonly blocks: Counter;
  measure(
    stream: number,
    end: number,
    termOf: number,
    lists: number,
    rowOf: number,
    weights: number,
    fields: number,
    counts: number,
    recordStarts: number,
    lengths: number,
    fieldStarts: number,
  ): void;
  endMeasure(fields: number, lengths: number, fieldStarts: number): void;
  sort(
    from: number,
    to: number,
    recordStarts: number,
    lists: number,
    first: number,
    end: number,
    next: number,
    waiting: number,
  ): void;
  useRows(
    rows: number,
    lengths: number,
    inverseNorms: number,
    weights: number,
    postingRows: number,
    frequencies: number,
    positionEnds: number,
  ): void;
  useOutput(
    documentFrequencies: number,
    maxSaturations: number,
    blockBits: number,
    firstBlocks: number,
    postingStarts: number,
    positionStarts: number,
    blockBounds: number,
    postings: number,
    positions: number,
  ): void;
  writeTerms(term: number, terms: number, sorted: number, ends: number, most: number): number;
  writeTerm(term: number, isDense: boolean): void;
  writeBitmap(bitmap: number): void;
  writeFrequencies(dense: number): void;
}
