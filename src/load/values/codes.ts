/** Texts that are codes: matched whole, and never read as words. */

/** The beginning of an address: `https://a.example/1`, `//a.example/1`, `/p/1`. */
export const ADDRESS = /^(?:https?:)?\/\/|^\/[^/\s]/i;

/** An address, or one token with a digit or a sign inside: `SKU-0001`, `978-3-16-148410-0`, `a@b.example`. */
export const isCode = (text: string): boolean =>
  ADDRESS.test(text) || (/^\S+$/.test(text) && (/\d/.test(text) || /[^\s][^\p{L}\p{M}\p{N}][^\s]/u.test(text)));
