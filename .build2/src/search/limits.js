/** There is more than an index can hold: no error of the program, but of what it is given. */
export class IndexLimitError extends Error {
}
