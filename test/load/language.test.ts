/** Stems and stop words of the languages, and which one a dump is in. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Language, languageOf, languages, stopWordsOf } from '../../src/languages.js';
import { checkText } from '../../src/load/report/report-text.js';
import { wordRules } from '../../src/search/word-rules.js';
import { fold } from '../../src/text.js';
import { type App, appOf, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';

const foldedWords = (text: string): string[] => text.split(' ').map((word) => fold(word).replace('ß', 'ss'));

describe('stems', () => {
  test.each<[Language, string, string]>([
    ['german', 'Haus Häuser Hauses', 'Hut'],
    ['german', 'Buch Bücher', 'Bauch'],
    ['german', 'Katze Katzen', 'Kater'],
    ['german', 'Straße Straßen Strasse', 'Strand'],
    ['german', 'schön schöne schöner schönes', 'scheu'],
    ['french', 'cheval chevaux', 'chevalier'],
    ['french', 'aimer aimé aimée aimées', 'amie'],
    ['french', 'premier première premières', 'prime'],
    ['french', 'qualité qualités', 'quai'],
    ['french', 'lumière lumières', 'lune'],
    ['spanish', 'canción canciones', 'cansado'],
    ['spanish', 'información informaciones', 'infantil'],
    ['spanish', 'niño niña niños', 'nieve'],
    ['italian', 'libro libri', 'libero'],
    ['italian', 'rosso rossa rossi rosse', 'rosa'],
    ['italian', 'città', 'cittadino'],
    ['portuguese', 'informação informações', 'inflação'],
    ['portuguese', 'avião aviões', 'aviso'],
    ['portuguese', 'possível possíveis', 'posse'],
    ['portuguese', 'animal animais', 'animado'],
    ['dutch', 'huis huizen', 'hui'],
    ['dutch', 'brief brieven', 'bries'],
    ['dutch', 'kat katten', 'kater'],
  ])('%s: %s is not %s', (language, forms, other) => {
    const { stem } = wordRules(language);
    const stems = new Set(foldedWords(forms).map(stem));
    expect([...stems]).not.toContain(stem(fold(other)));
    expect(stems.size).toBe(1);
  });

  const word = fc.string({ unit: fc.constantFrom(...'aeiouycstlnrgdvzmps'), minLength: 1, maxLength: 20 });
  test.each(languages)('%s: a stem begins as its word does, and is no longer', (language) => {
    const { stem } = wordRules(language);
    fc.assert(
      fc.property(word, (letters) => stem(letters)[0] === letters[0] && stem(letters).length <= letters.length + 1),
      { numRuns: 3000 },
    );
    for (const own of ['', 'b2bs', 'слова', 'c++']) expect(stem(own)).toBe(own);
    expect(stem('oes')[0], 'an ending alone').toBe('o');
  });

  test.each(languages)('%s: stop words are folded, as the words of a text are', (language) => {
    const words = [...stopWordsOf(language)];
    expect(words.filter((one) => !/^[a-z]+$/.test(one))).toEqual([]);
    expect(words.every((one) => wordRules(language).isStopWord(one))).toBe(true);
  });
});

describe('the language of texts', () => {
  test.each<[Language, string]>([
    ['english', 'The house stands at the end of the road, and nobody lives in it.'],
    ['german', 'Das Haus steht am Ende der Straße, und niemand wohnt darin. Es ist nicht zu verkaufen.'],
    ['french', 'La maison est au bout de la rue, et personne ne l’habite plus.'],
    ['spanish', 'La casa está al final de la calle, y nadie vive en ella.'],
    ['italian', 'La casa è alla fine della strada, e nessuno vive più in essa.'],
    ['portuguese', 'A casa fica no fim da rua, e ninguém mora mais nela, mas não está à venda.'],
    ['dutch', 'Het huis staat aan het einde van de straat, en niemand woont er meer.'],
  ])('is %s: %s', (language, text) => {
    expect(languageOf([text])).toBe(language);
  });

  test.each([
    ['nothing', []],
    ['names of places', ['El Paso', 'La Paz', 'Los Angeles', 'Las Vegas', 'Des Moines', 'Den Haag', 'Der Spiegel']],
    ['words of no language known here', ['Dom stoi na końcu ulicy i nikt w nim nie mieszka']],
    ['brands between English words', ['Cream of the La Mer for you', 'The De Longhi is on the table', 'Die Cast Car']],
    ['another script', ['Дом стоит в конце улицы']],
  ])('is English where in doubt: %s', (_, texts) => {
    expect(languageOf([...texts, ...texts.map((text) => `${text} box`)])).toBe('english');
  });
});

const record = (id: number, title: string, content = ''): object => ({ id, title, content, score: 1 });
const german = [
  record(1, 'Das Haus am See', 'Wir haben es mit der Familie gebaut, und es ist schön.'),
  record(2, 'Häuser in der Stadt', 'Sie sind alt, aber die Stadt ist nicht für jeden.'),
  record(3, 'Ein Buch über das Meer'),
  record(4, 'Bücher, die man nicht vergisst', 'Das sind die besten.'),
];
const english = [record(1, 'The house by the lake', 'We built it with the family, and it is not for all.')];
const dumps = { 'articles.json': JSON.stringify(german), 'products.json': JSON.stringify(english) };

const serving = (use: (app: App, lines: readonly string[]) => Promise<void>, language?: Language) =>
  withFolder(dumps, async (dir) => {
    const served = await datasetIn(dir, language === undefined ? {} : { language });
    await use(appOf(served), checkText(served.report));
  });

async function found(app: App, text: string): Promise<readonly number[]> {
  const path = `/api/articles/search?q=${encodeURIComponent(text)}&fuzzy=0&prefix=0`;
  return (await getJson<{ data: { id: number }[] }>(app, path)).data.map(({ id }) => id).sort();
}

describe('a dump', () => {
  test('is searched in the language of each collection', async () => {
    await serving(async (app, lines) => {
      const { search, version } = await getJson<{ search: object; version: string }>(app, '/health');
      expect(search).toMatchObject({ languages: { articles: 'german', products: 'english' } });
      expect(version).toMatch(/-german-english$/);
      expect(lines).toContain('  articles are searched as German: --language english has it otherwise');
      expect(lines.filter((line) => line.includes('searched as'))).toHaveLength(1);
      expect(await found(app, 'Haus')).toEqual([1, 2]);
      expect(await found(app, 'Häuser')).toEqual([1, 2]);
      expect(await found(app, 'der die das Buch')).toEqual([3, 4]);
      expect(await found(app, 'der')).toEqual([1, 2]);
      expect(await found(app, '"das Haus"')).toEqual([1]);
    });
  });

  test('is searched in another one where that is said', async () => {
    await serving(async (app, lines) => {
      const { search } = await getJson<{ search: object }>(app, '/health');
      expect(search).toMatchObject({ languages: { articles: 'english', products: 'english' } });
      expect(lines.filter((line) => line.includes('searched as'))).toEqual([]);
      expect(await found(app, 'Haus')).toEqual([1]);
      expect(await found(app, 'das Buch')).toEqual([1, 3, 4]);
    }, 'english');
  });
});
