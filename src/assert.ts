/** Contracts between functions as code: tests check them, and the program does not spend time on them. */

declare global {
  interface ImportMeta {
    /** Vitest sets it. */
    readonly env?: { readonly MODE?: string };
  }
}

const isTest = import.meta.env?.MODE === 'test';

/** Throws while tests run if a contract does not hold. */
export function assert(holds: () => boolean, contract: string): void {
  if (isTest && !holds()) throw new Error(`broken contract: ${contract}`);
}
