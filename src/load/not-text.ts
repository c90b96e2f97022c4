/** Recognises files that are no text by their first bytes. */

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['PK\u0003\u0004', 'a ZIP file or spreadsheet (.xlsx): export it as CSV or JSON first'],
  ['%PDF', 'a PDF file'],
  ['SQLite format 3', 'an SQLite database: export its table as CSV or JSON first'],
  ['\u00fd7zXZ', 'an xz archive: unpack it first'],
  ['BZh', 'a bzip2 archive: unpack it first'],
  ['(\u00b5/\u00fd', 'a Zstandard archive: unpack it first'],
];

/** Why these first bytes of a file are no text; undefined where they may be. */
export function notText(opening: Buffer): string | undefined {
  const head = opening.toString('latin1', 0, 16);
  const signature = SIGNATURES.find(([bytes]) => head.startsWith(bytes));
  return signature && `expected text, found ${signature[1]}`;
}
