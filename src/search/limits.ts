/** The records exceed a limit of the index: an expected failure of the input, no bug. */
export class IndexLimitError extends Error {}
