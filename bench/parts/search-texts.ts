/** The texts that search is measured with: two words of every frequency, unfinished and misspelt ones, and hostile ones. */
import { seeded } from '../../test/support/random.js';

/** Two words, each of a rank drawn evenly from the logarithms: words of every frequency, common and rare alike. */
export function makeQueries(words: readonly string[], count: number): string[] {
  const random = seeded(7);
  const draw = (): string => words[Math.floor(words.length ** random())]!;
  const queries = new Set<string>();
  while (queries.size < count) queries.add(`${draw()} ${draw()}`);
  return [...queries];
}

/** The last word lacks its last two letters, as while it is typed; the first three are there. */
export function asPrefix(query: string): string {
  const start = query.indexOf(' ') + 1;
  return query.slice(0, Math.max(query.length - 2, Math.min(query.length, start + 3)));
}

/** The last word has a letter too many, where it has four at least. */
export function misspelt(query: string, i: number): string {
  const at = query.length - 1 - (i % 3);
  return `${query.slice(0, at)}x${query.slice(at)}`;
}

/** Titles of books differ by their ISBN. */
const isbnOf = (i: number): string => `978${String((i * 7_919_137) % 10_000_000_000).padStart(10, '0')}`;
export const titleOfBook = (i: number): string => `The ${['red', 'blue', 'old', 'new'][i % 4]} book ${isbnOf(i)}`;

/** Texts about numbers, which no word of a language is near. */
export function numberTexts(books: number): readonly (readonly [string, string])[] {
  const unknown = (i: number): string => String(9_781_402_894_626 + i * 1_234_567);
  const isbn = isbnOf(books >> 1);
  return [
    ['a number that no book has', `${unknown(0)} `],
    ['eight numbers that no book has', `${Array.from({ length: 8 }, (_, i) => unknown(i)).join(' ')} `],
    ['a number with a wrong digit', `${isbn.slice(0, 7)}${(Number(isbn[7]) + 5) % 10}${isbn.slice(8)} `],
    ['the beginning of all numbers', '978'],
    ['the beginning of many numbers', '9781'],
  ];
}

/** Texts that cost the most work. They are made of the commonest of `words`, whose order is by frequency. */
export function hostileTexts(words: readonly string[]): readonly (readonly [string, string])[] {
  const random = seeded(9);
  const common = (count: number, from = 0): string[] => words.slice(from, from + count);
  const drawWords = (count: number, of: number): string[] =>
    Array.from({ length: count }, () => words[Math.floor(of * random())]!);
  const phrases = (count: number, phrase: (i: number) => readonly string[]): string[] =>
    Array.from({ length: count }, (_, i) => `"${phrase(i).join(' ')}"`);
  const excluding = (some: readonly string[], plain = words[20]): string =>
    some.map((one) => `-${one} `).join('') + plain;
  return [
    ['the 8 commonest words', common(8).join(' ')],
    ['the 32 commonest words', common(32).join(' ')],
    ['the 64 commonest words', common(64).join(' ')],
    ['the 1,000 commonest words', common(1000).join(' ')],
    ['10,000 words', common(10_000).join(' ')],
    ['700 words of the 64 commonest', drawWords(700, 64).join(' ')],
    ['a phrase of the two commonest', `"${common(2).join(' ')}"`],
    ['a phrase of 64 words', `"${common(64).join(' ')}"`],
    ['a phrase of the 8 commonest', `"${common(8).join(' ')}"`],
    ['a phrase of 64 times the commonest', `"${Array(64).fill(words[0]).join(' ')}"`],
    ['31 phrases', phrases(31, (i) => common(2, i)).join(' ')],
    ['7 excluded phrases', excluding(phrases(7, (i) => common(2, 2 * i)))],
    ['31 excluded phrases', excluding(phrases(31, (i) => common(2, 2 * i)))],
    ['31 excluded phrases of 5 words', excluding(phrases(31, () => drawWords(3, 5)))],
    [
      '7 excluded phrases of 3 words, common words, a letter',
      excluding(
        phrases(7, (i) => [words[i % 3]!, words[(i + 1) % 4]!, words[(i + 2) % 5]!]),
        [...common(7), 's'].join(' '),
      ),
    ],
    ['31 excluded words', excluding(common(31, 30))],
    [
      '400 prefixes',
      common(400)
        .map((word) => word.slice(0, 2))
        .join(' '),
    ],
    ['one letter', 's'],
    [
      '60 misspelt words',
      common(60, 3000)
        .map((word) => `${word.slice(0, 3)}x${word.slice(3)}`)
        .join(' '),
    ],
    [
      'common and misspelt words, a prefix',
      [...common(32), ...common(8, 3000).map((word) => `${word.slice(0, 3)}x${word.slice(3)}`), 'sh'].join(' '),
    ],
    ['a letter in a field', 'title:s'],
    [
      'seven of the commonest words in a field',
      common(7)
        .map((word) => `content:${word}`)
        .join(' '),
    ],
    ['a phrase of the commonest words in a field', `content:"${common(3).join(' ')}"`],
    ['10,000 Chinese characters', '\u4e2d\u6587'.repeat(5000)],
    ['a megabyte without a space', 'x'.repeat(1_000_000)],
  ];
}
