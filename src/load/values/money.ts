/**
 * Signs, codes and names of money, as the platform has them (ISO 4217 by `Intl`, and the names of Unicode CLDR): `zł` and `złotych` of
 * Poland, `Ksh` of Kenya, `د.إ.` of the Emirates. Listing all names takes as long as reading a megabyte, so they are listed at the first
 * text that no sign, code or common abbreviation decides. Callers ask only where most values of a column may be amounts.
 */

/** A name of money beside a number. */
export interface Money {
  /** As the text has it, without a point behind: `$`, `USD`, `zł`, `Rs`. */
  readonly name: string;
  /** The currency's code, where the name has one. */
  readonly code?: string | undefined;
  /**
   * How surely the name means money. `letter`: a single letter, a code in small letters, a code that is out of use: these mean other things
   * as often (`R`, `all`, `BAD`). `short`: two letters, such as `KM`, and words, such as `TOP`. `sure`: all others.
   */
  readonly strength: 'letter' | 'short' | 'sure';
}

/** Signs of money with the letters and stray bytes beside them: `US$`, `Â£`, `$ SGD`. */
const SIGN = /^[A-ZÂâ]{0,3}\.?\s?\p{Sc}\s?[A-Z]{0,3}$/u;
/** The first byte of a sign in UTF-8 that was read as windows-1252: `Â£`. */
const STRAY_BYTE = /^[Ââ]/;
/** `SKU 0012` is no amount, `USD 12` is one. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), 'BTC', 'ETH']);
/** Codes of rare currencies that are words as well: `TOP 10` is no amount in Tonga's money, `ALL 1,200.00` one in Albania's. */
const WORD_CODES = new Set(['ALL', 'BAM', 'BOB', 'CUP', 'MOP', 'SOS', 'TOP']);
/** Abbreviations that mean money beside any number, and are not looked for among the platform's names: `199 kr`, `RM 12`. */
const SURE_ABBREVIATIONS: Readonly<Record<string, string | undefined>> = {
  ...{ kr: undefined, Kr: undefined, Rs: undefined, rs: undefined },
  ...{ Rp: 'IDR', RM: 'MYR', TL: 'TRY', Ft: 'HUF', zł: 'PLN', Kč: 'CZK', р: 'RUB', Р: 'RUB' },
};
/** `Fr. 12.50` is an amount in Switzerland, `Fr. 12` may be a Friday. */
const FRANCS = /^S?Fr\.?$/;

/** Names that shops print and the platform lacks: abbreviations, other spellings, grammatical cases. */
const LACKING: readonly (readonly [code: string, names: string])[] = [
  ['AED', 'Dhs Dh DH درهم'],
  ['AWG', 'ƒ'],
  ['BHD', 'BD'],
  ['CHF', 'Franken'],
  ['CNY', 'RMB 元 圆 圓'],
  ['ILS', `NIS ש"ח ש״ח ש'ח`],
  ['IRR', 'تومان'],
  ['KES', 'KShs'],
  ['KRW', '원'],
  ['KWD', 'KD'],
  ['KZT', 'тг тнг'],
  ['LYD', 'LD'],
  ['PLN', 'zl'],
  ['PYG', 'Gs'],
  ['RSD', 'din dinara дин'],
  ['RUB', 'руб'],
  ['THB', 'บ บาท'],
  ['TRY', 'lira'],
  ['UAH', 'грн'],
  ['VND', 'VNĐ đ'],
];
/** Words of the platform's names that mean something else beside a number: `3 won` of five, `12 gold` medals. */
const OTHER_MEANINGS = new Set(
  'won gold mark marks rights real reals rand sol soles oro convertible soberano'.split(' '),
);

/** No name of money is longer. */
const MAX_MONEY_NAME_CHARS = 40;
const MONEY_NAME = /^\p{L}[\p{L}\p{M}\s.'’ʻ"״/&-]*$/u;

/** The money of the commonest names, by which most texts are decided at once. */
const COMMON_MONEY: ReadonlyMap<string, Money> = new Map([
  ...[...'$£€¥₹₽₩₺₴₫₪฿¢'].map((name): [string, Money] => [name, { name, strength: 'sure' }]),
  ...[...CURRENCY_CODES].map((name): [string, Money] => [
    name,
    { name, code: name, strength: WORD_CODES.has(name) ? 'short' : 'sure' },
  ]),
  // The euro's sign in UTF-8 that was read as windows-1252.
  ['â‚¬', { name: '€', strength: 'sure' }],
  ...['cent', 'cents', 'Cent', 'Cents'].map((word): [string, Money] => [word, { name: '¢', strength: 'sure' }]),
  ...Object.entries(SURE_ABBREVIATIONS).map(([name, code]): [string, Money] => [
    name,
    { name, code, strength: 'sure' },
  ]),
]);

/** The money that a text beside a number names by a sign, a code or a common abbreviation; undefined where it names none. */
export function commonMoneyOf(text: string): Money | undefined {
  const common = COMMON_MONEY.get(text);
  if (common !== undefined || text === '' || text.length > MAX_MONEY_NAME_CHARS) return common;
  if (mayBeginSign(text.charCodeAt(0)) && SIGN.test(text))
    return { name: text.replace(STRAY_BYTE, '').replace(/\s[A-Z]+$/, signOfCode), strength: 'sure' };
  return text.endsWith('.') ? COMMON_MONEY.get(text.slice(0, -1)) : undefined;
}

/** A word behind a sign is one of money where it is a code: `$ SGD`, but not `€ CC` (charges comprises). */
const signOfCode = (word: string): string => (CURRENCY_CODES.has(word.trim()) ? word : '');

/** A sign begins with `$`, a capital letter, or beyond ASCII. */
const mayBeginSign = (code: number): boolean => code === 0x24 || (code >= 0x41 && code <= 0x5a) || code >= 0x80;

/** The money that a text beside a number names by any name; undefined where it names none. */
export function moneyOf(text: string): Money | undefined {
  const common = commonMoneyOf(text);
  if (common !== undefined) return common;
  if (text.length > MAX_MONEY_NAME_CHARS || !MONEY_NAME.test(text)) return undefined;
  const name = withoutPoint(text);
  if (FRANCS.test(text)) return { name, code: 'CHF', strength: 'letter' };
  // `R12.50` is an amount of South Africa, `v1.10` a version.
  if (/^[A-Za-z]$/.test(text)) return namesOfMoney().has(text) ? { name: text, strength: 'letter' } : undefined;
  if (unitsOfMeasure().has(name)) return undefined;
  const code = namesOfMoney().get(moneyKey(text)) ?? (text.length === 3 ? unusualCode(text) : undefined);
  if (code === undefined) return undefined;
  if (code === text.toUpperCase()) return { name, code, strength: 'letter' };
  return { name, code, strength: /^[A-Za-z]{2}\.?$/.test(text) ? 'short' : 'sure' };
}

/** The decimals of amounts by code, of the codes that were asked for. */
const decimalsByCode = new Map([
  ['BTC', 8],
  ['ETH', 8],
]);

/** The decimals of a currency's amounts: 3 of Kuwait's dinar, 0 of the yen, 2 where a name has no code. */
export function currencyDecimals({ code }: Money): number {
  if (code === undefined) return 2;
  const decimals = decimalsByCode.get(code);
  if (decimals !== undefined) return decimals;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
  }).resolvedOptions();
  decimalsByCode.set(code, maximumFractionDigits);
  return maximumFractionDigits;
}

/** A code in small letters, or one that is no longer in use: `pln`, `DEM`. */
function unusualCode(text: string): string | undefined {
  const code = text.toUpperCase();
  if (CURRENCY_CODES.has(code) && text === text.toLowerCase()) return code;
  if (!/^[A-Z]{3}$/.test(text)) return undefined;
  return new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(text) && text;
}

const withoutPoint = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

/** Names of three letters or more are the same in any case, and so is `ZŁ`; `KM` is no `km`. */
function moneyKey(name: string): string {
  const plain = withoutPoint(/^[\x20-\x7e]*$/.test(name) ? name : plainMoneyName(name));
  return /^[A-Za-z]{1,2}$/.test(plain) ? plain : plain.toLowerCase();
}

const plainMoneyName = (name: string): string =>
  name
    .replace(/[\u200b\u200e\u200f]/g, '')
    .replace(/[’ʻ]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();

/** Whether a sign may stand for the currency of a code: `$` and `US$` for USD, `kr` for SEK. */
export function maySignify(sign: string, code: string): boolean {
  const country = code.slice(0, 2);
  return localesOf(country).some((locale) =>
    displayNames(locale, code, 'narrowSymbol', [1]).some((symbol) => sign === symbol || sign === country + symbol),
  );
}

let collectedUnits: ReadonlySet<string> | undefined;

/**
 * English units of measure. A word behind a number is most often one of them, and then no names of money are listed, which takes ten
 * times as long.
 */
function unitsOfMeasure(): ReadonlySet<string> {
  collectedUnits ??= new Set(
    Intl.supportedValuesOf('unit').flatMap((unit) =>
      (['short', 'long'] as const).flatMap((unitDisplay) => {
        const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay });
        return [1, 5].flatMap((count) => format.formatToParts(count).find(({ type }) => type === 'unit')?.value ?? []);
      }),
    ),
  );
  return collectedUnits;
}

let collectedNames: ReadonlyMap<string, string> | undefined;

/** The code of each name of money. */
function namesOfMoney(): ReadonlyMap<string, string> {
  collectedNames ??= collectNames();
  return collectedNames;
}

/**
 * Signs and abbreviations of each country in its own language, in English and in French; names in its own language and in English, as whole
 * texts and by the word that stands for the money.
 *
 *     PLN   zł   złoty, złote, złotych   złotych polskich   Polish zlotys   zlotys
 */
function collectNames(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const add = (name: string, code: string): void => {
    const key = moneyKey(name);
    if (key !== '' && name !== code && !OTHER_MEANINGS.has(key) && !codes.has(key)) codes.set(key, code);
  };
  for (const [code, names] of LACKING) for (const name of names.split(' ')) add(name, code);
  for (const code of Intl.supportedValuesOf('currency')) {
    // A code begins with that of its country: PLN is Poland's.
    const country = code.slice(0, 2);
    const [ownLocale, ...locales] = localesOf(country);
    for (const locale of new Set([ownLocale, ...locales]))
      for (const name of displayNames(locale, code, 'narrowSymbol', [1])) add(name, code);
    for (const name of displayNames('en', code, 'name', [1, 5])) {
      add(name, code);
      add(name.split(' ').at(-1) ?? '', code);
    }
    if (ownLocale.startsWith('en')) continue;
    for (const name of displayNames(ownLocale, code, 'name', [1, 2, 5])) {
      add(name, code);
      const words = name.split(/\s/);
      for (const word of [words[0]!, words.at(-1)!]) if (MAY_STAND_ALONE.test(word)) add(word, code);
    }
  }
  return codes;
}

/** A country's own language, and two in which its money is written as well. */
const localesOf = (country: string): readonly [string, ...string[]] => [
  `${new Intl.Locale(`und-${country}`).maximize().language}-${country}`,
  `en-${country}`,
  `fr-${country}`,
];

/** A word of a name that is no name of a place, such as `Kenya`. */
const MAY_STAND_ALONE = /^[^\p{Lu}\d]{3,}$/u;

function displayNames(
  locale: string,
  currency: string,
  currencyDisplay: 'name' | 'narrowSymbol',
  counts: readonly number[],
): readonly string[] {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay,
    maximumFractionDigits: 0,
  });
  return counts.flatMap((count) => format.formatToParts(count).find(({ type }) => type === 'currency')?.value ?? []);
}
