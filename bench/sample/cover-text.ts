/**
 * Sets the words of a cover: wraps the title, picks the largest size that fits, shortens what never fits.
 * No font is at hand to measure with, so widths are estimates on the wide side, in ems of a bold face.
 */
export interface Setting {
  readonly size: number;
  readonly lines: readonly string[];
}

export interface Room {
  readonly width: number;
  readonly height: number;
  /** Sizes to try, the largest first. */
  readonly sizes: readonly [number, ...number[]];
  readonly maxLines: number;
  /** Factor on the estimated widths, for wider or narrower typefaces. */
  readonly stretch: number;
}

export const LINE_HEIGHT = 1.16;

const WIDTHS: ReadonlyArray<readonly [characters: RegExp, ems: number]> = [
  [/\p{Mn}/u, 0],
  [/\p{Extended_Pictographic}/u, 1.4],
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/u, 1.02],
  [/[ .,:;'’|!iIjlíìî]/u, 0.36],
  [/[ftr()\-“”"«»]/u, 0.48],
  [/[mwMW@&=+%—…]/u, 0.98],
  [/[\p{Lu}\p{Nd}]/u, 0.74],
];
const OTHER_WIDTH = 0.64;

/**
 * Where a line may end: after a space (unless a number or an emoji follows) or a hyphen, in Japanese where
 * hiragana gives way to another script, which is mostly the start of a word, and after East Asian punctuation.
 */
const BREAKS =
  /(?<=[ \u3000-])(?![\p{Nd}\p{Extended_Pictographic}])|(?<=\p{sc=Hiragana})(?=[\p{sc=Han}\p{sc=Katakana}])|(?<=[，：。、])/u;

export function setText(text: string, room: Room): Setting {
  const pieces = text.split(BREAKS);
  for (const size of room.sizes) {
    const lines = wrap(pieces, room.width / size / room.stretch);
    if (lines !== undefined && lines.length <= capacity(room, size)) return { size, lines: balance(pieces, lines) };
  }
  return shorten(text, room);
}

export function measure(text: string): number {
  let ems = 0;
  for (const character of text) ems += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? OTHER_WIDTH;
  return ems;
}

function capacity(room: Room, size: number): number {
  return Math.min(room.maxLines, Math.floor(room.height / (size * LINE_HEIGHT)));
}

/** The pieces in lines of at most `ems`, or nothing when a single piece is wider than that. */
function wrap(pieces: readonly string[], ems: number): string[] | undefined {
  const lines: string[] = [];
  let current = '';
  for (const piece of pieces) {
    if (measure(piece.trimEnd()) > ems) return undefined;
    if (current !== '' && measure((current + piece).trimEnd()) > ems) {
      lines.push(current.trimEnd());
      current = '';
    }
    current += piece;
  }
  return [...lines, current.trimEnd()];
}

/** The same number of lines, of more even widths. */
function balance(pieces: readonly string[], lines: readonly string[]): readonly string[] {
  const widest = Math.max(...lines.map(measure));
  const narrower = wrap(pieces, widest - 0.1);
  return narrower === undefined || narrower.length > lines.length ? lines : balance(pieces, narrower);
}

/** At the smallest size, words are broken where they must and the end gives way to an ellipsis. */
function shorten(text: string, room: Room): Setting {
  const size = room.sizes.at(-1) ?? room.sizes[0];
  const ems = room.width / size / room.stretch;
  const lines =
    wrap(
      text.split(BREAKS).flatMap((piece) => (measure(piece) > ems ? [...piece] : [piece])),
      ems,
    ) ?? [];
  const shownLines = lines.slice(0, capacity(room, size));
  const last = shownLines.pop() ?? '';
  const end = lines.length > shownLines.length + 1 ? ellipsize(last, ems) : last;
  return { size, lines: [...shownLines, end] };
}

function ellipsize(line: string, ems: number): string {
  const characters = [...line];
  while (measure(`${characters.join('')}…`) > ems) characters.pop();
  return `${characters.join('').replace(/[\s,:;-]+$/u, '')}…`;
}
