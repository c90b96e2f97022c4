/** Work that is done a step at a time while something is waited for, and the rest of it when it has to be. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stepFor } from './unhurried.js';

/** For so long at once nothing else is looked at. */
const TURN_MS = 2;

export class Meanwhile<Result> {
  readonly #steps: Generator<void, Result>;
  #end: IteratorReturnResult<Result> | undefined;

  constructor(steps: Generator<void, Result>) {
    this.#steps = steps;
  }

  /** Works until something has arrived, or nothing is left to do; returns whether it has arrived. */
  async until(arriving: Promise<unknown>): Promise<boolean> {
    let isThere = false;
    const note = () => {
      isThere = true;
    };
    arriving.then(note, note);
    while (!isThere && this.#end === undefined) {
      this.#end = stepFor(this.#steps, TURN_MS);
      await nextTurn();
    }
    return isThere;
  }

  /** Does all that is left. */
  finish(): Result {
    while (this.#end === undefined) this.#end = stepFor(this.#steps, TURN_MS);
    return this.#end.value;
  }
}
