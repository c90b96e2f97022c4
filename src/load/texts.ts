/** Texts as they can be served. */

/** Half of a surrogate pair: it stands for no character, and no UTF-8 can hold it (Unicode 16, section 3.8). */
const HALF_PAIR = /\p{Surrogate}/gu;

/** The text with U+FFFD for each half of a surrogate pair; itself where there is none. */
export const wellFormedText = (text: string): string => text.replace(HALF_PAIR, '\ufffd');

const TITLE_WORDS = 10;
const MAX_TITLE_CHARS = 80;

/** The first words of a text's first line, as a title. */
export function firstWords(text: string): string {
  const line =
    text
      .trim()
      .slice(0, 10 * MAX_TITLE_CHARS)
      .split('\n', 1)[0]
      ?.trim() ?? '';
  let title = line.split(/\s+/, TITLE_WORDS).join(' ');
  while (title.length > MAX_TITLE_CHARS && title.includes(' ')) title = title.slice(0, title.lastIndexOf(' '));
  title = wellFormedText(title.slice(0, MAX_TITLE_CHARS));
  return title.length < line.length ? `${title} …` : title;
}
