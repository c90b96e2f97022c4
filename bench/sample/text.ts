/**
 * Reads the two text formats of the sample: `articles/*.txt` and `products/*.txt`.
 * Both are strict: anything unexpected throws an error that names the file and the line.
 */
export interface ArticleText {
  readonly title: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly paragraphs: readonly string[];
}

/** An empty author or price is kept empty here: a real scrape lacks some. */
export interface BookText {
  readonly title: string;
  readonly author: string;
  readonly price: string;
}

export interface CategoryText {
  readonly category: string;
  readonly books: readonly BookText[];
}

const PRICE = /^\d+\.\d{2}$/;

export function parseArticles(text: string, file: string): ArticleText[] {
  const lines = splitLines(text);
  const articles: ArticleText[] = [];
  let at = skipBlank(lines, 0);
  while (at < lines.length) {
    const end = findNextTitle(lines, at + 1);
    articles.push(parseArticle(lines.slice(at, end), file, at + 1));
    at = end;
  }
  return articles;
}

export function parseCategory(text: string, file: string): CategoryText {
  const [first = '', ...rest] = splitLines(text);
  const category = headerValue(first, 'category', file, 1);
  if (category === '') throw malformed(file, 1, 'a category name after "category:"', first);
  const books = rest.flatMap((line, index) => (line === '' ? [] : [parseBook(line, file, index + 2)]));
  return { category, books };
}

function parseArticle(lines: readonly string[], file: string, firstLine: number): ArticleText {
  const [heading = '', authorLine = '', tagsLine = '', gap = '', ...body] = lines;
  const title = heading.startsWith('# ') ? heading.slice(2).trim() : '';
  if (title === '') throw malformed(file, firstLine, '"# Title"', heading);
  const author = headerValue(authorLine, 'author', file, firstLine + 1);
  if (author === '') throw malformed(file, firstLine + 1, 'a name after "author:"', authorLine);
  const tags = headerValue(tagsLine, 'tags', file, firstLine + 2);
  if (gap !== '') throw malformed(file, firstLine + 3, 'a blank line after the tags', gap);
  return { title, author, tags: splitTags(tags), paragraphs: parseParagraphs(body, file, firstLine + 4) };
}

function parseParagraphs(lines: readonly string[], file: string, firstLine: number): string[] {
  lines.forEach((line, index) => {
    if (line === '' || (lines[index - 1] ?? '') === '') return;
    throw malformed(file, firstLine + index, 'a blank line between paragraphs', line);
  });
  const paragraphs = lines.filter((line) => line !== '');
  if (paragraphs.length === 0) throw malformed(file, firstLine, 'a paragraph', '');
  return paragraphs;
}

function parseBook(line: string, file: string, lineNumber: number): BookText {
  const cells = line.split('|').map((cell) => cell.trim());
  const [title = '', author = '', price = ''] = cells;
  if (cells.length !== 3 || title === '') throw malformed(file, lineNumber, '"Title | Author | price"', line);
  if (price !== '' && !PRICE.test(price)) throw malformed(file, lineNumber, 'a price like 12.99', price);
  return { title, author, price };
}

function headerValue(line: string, name: string, file: string, lineNumber: number): string {
  if (!line.startsWith(`${name}:`)) throw malformed(file, lineNumber, `"${name}: ..."`, line);
  return line.slice(name.length + 1).trim();
}

function splitTags(tags: string): string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

function splitLines(text: string): string[] {
  return text.split('\n').map((line) => line.trimEnd());
}

function skipBlank(lines: readonly string[], from: number): number {
  const lineIndex = lines.findIndex((line, index) => index >= from && line !== '');
  return lineIndex === -1 ? lines.length : lineIndex;
}

function findNextTitle(lines: readonly string[], from: number): number {
  const lineIndex = lines.findIndex((line, index) => index >= from && line.startsWith('# '));
  return lineIndex === -1 ? lines.length : lineIndex;
}

function malformed(file: string, lineNumber: number, expected: string, found: string): Error {
  const quoted = found === '' ? 'nothing' : `"${found.slice(0, 60)}"`;
  return new Error(`${file}:${lineNumber}: expected ${expected}, found ${quoted}`);
}
