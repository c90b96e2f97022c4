/** Spellings of numbers in scrapes: `£51.77`, `1.234,56 €`, `Three`, `4.5 out of 5 stars`, `1.2k points`; the currencies and scales that they name. */

/** JSON's own spelling: what a program writes. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function readPlainNumber(text: string): number | undefined {
  return JSON_NUMBER.test(text) ? Number(text) : undefined;
}

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten'.split(' ');

/**
 * A currency: its sign, with the letters and stray bytes that come before it, its code, or a usual abbreviation. A hyphen directly
 * behind three letters makes a code of another kind: `TRY-12` is no amount, `TRY 12` and `TRY12` are.
 */
/** Currencies of letters: whole words, since `р` stands inside of many. */
const LETTER_CURRENCY = String.raw`рублей|рубля|рубль|р\.?|Р|грн\.?|лв\.?|Fr\.|Lei|Zł|Br|euro|تومان|ریال|ريال|درهم|جنيه|บาท|KSh|KD`;
const CURRENCY = String.raw`(?:(?<!\p{L})(?:${LETTER_CURRENCY})(?!\p{L})|[A-ZÂâ]{0,3}\s?\p{Sc}|[A-Z]{3}(?![-+−–])|[Rr]s\.?|Rp\.?|RM|TL|[Kk]r\.?|zł|Kč|Ft|lei|руб\.?|円|元|원|đ)`;
const COUNTED_UNITS =
  'stars? points? pts votes? upvotes? likes? comments? replies reviews? ratings? sternen? étoiles? estrellas? stelle ★';
const UNIT = String.raw`(?:${COUNTED_UNITS.split(' ').map(anyInitial).join('|')})\.?`;
/** `of 5`, also as Amazon writes it in German, French, Spanish and Italian. */
const OUT_OF_WORDS = String.raw`(?:out\s+of|of|\/|von|sur|de|su)\s*`;
const OUT_OF = String.raw`${OUT_OF_WORDS}\d+(?:[.,]\d+)?`;
const SIGN = '[-+−–]';
/** Groups of digits with separators between them, and a last group of any length. */
const DIGITS = String.raw`\d+(?:[.,'’\u00a0\u202f ]\d+)*|[.,]\d+`;
/** A dash for zero hundredths: `12,-`. */
const NO_HUNDREDTHS = '[.,:][-–—]{1,2}';

const SPELLED_NUMBER = new RegExp(
  String.raw`^(?:Rated\s+)?(${SIGN})?\s*(?:(${CURRENCY})\s*)?(${SIGN})?\s*(${DIGITS})(${NO_HUNDREDTHS})?\s*([kKmM](?!\p{Lu}{1,2}\s?\p{Sc}))?\s*(${CURRENCY})?\s*(?:${OUT_OF})?\s*(?:${UNIT})?$`,
  'u',
);
const NUMBER_WORD = new RegExp(
  `^(?:star-rating\\s+)?(${NUMBER_WORDS.join('|')})(?:\\s+${OUT_OF})?(?:\\s+${UNIT})?$`,
  'i',
);
const STAR_SIGNS = /^(★+)☆*$/;
const SCALE = new RegExp(String.raw`\d\s*${OUT_OF_WORDS}(\d+)`, 'i');
/** In an amount of money three digits behind a point are thousands: `1.299 €`. */
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;
/** Currencies with three decimals or more (ISO 4217): their point stays a decimal sign. */
const WITH_THREE_DECIMALS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND', 'BTC', 'ETH', 'KD']);

/** The words before the lowest price or the current one: `From $5`, `ab 12,50 €`, `now $0.99`. */
const LOWER_BOUND =
  /^(?:from|starting (?:at|from)|starts (?:at|from)|as low as|only|just|now|ab|nur|jetzt|à partir de|a partir de|a partire da|dès|desde|da|vanaf|от)\s+(?=\S)/i;
/** The unit that a price is for: `£12.99 each`, `7,00 €/Stück`, `₹ 499/-`, `$3.50 per lb`. */
const FOR_ONE = /\s*(?:\/-|\beach|\bea\.?|(?:\/|\b(?:per|pro|je|par|por|al)\s)\s*(?:\d+\s*)?\p{L}{1,12}\.?)$/iu;
/** The number of ratings behind a rating: `4.5 (1,234)`. */
const RATING_COUNT = /(?<=\d\D{0,20})\s*\(\s*[\d.,'\u00a0\u202f ]+[kKmM]?\+?(?:\s\p{L}{1,15})?\s*\)$/u;
/** The former price behind the current one: `$0.99 was $1.99`. */
const EARLIER_PRICE = /(?<=\d\D{0,6})\s*[(,]?\s*(?:was|statt|instead of|RRP|UVP|MSRP)\b.*$/i;
/** The label before a price: `Our Price: $149.95`, `Běžná cena 9 800 Kč`. */
const PRICE_LABEL =
  /^(?:(?:our|your|sale|regular)\s+price|price|prezzo|(?:běžná|bežná|naše|naša)\s+cena|cena|цена)\s*:?\s*(?=[^\s:])/i;
/** The mark of a footnote: `34,50 € *`. */
const FOOTNOTE = /(?<=\d\D{0,6})\s*\*{1,3}$/;
/** Notes of taxes behind a price: `£25.00 (tax incl.)`, `€6.56 + VAT`, `184,20 € HT`. */
const TAX_NOTE =
  /(?<=\d\D{0,6})\s*(?:\(\s*(?:(?:tax|vat|gst)\s+incl\.?|inc(?:l\.?)?\s+(?:tax|vat|gst)|bez DPH)\s*\)|\+\s*(?:vat|iva)|inc\s+gst|iva inclusa|(?<=[\s€])(?:HT|TTC)|brutto)$/i;
const BESIDE_AMOUNTS = [PRICE_LABEL, FOOTNOTE, TAX_NOTE, LOWER_BOUND, EARLIER_PRICE, RATING_COUNT, FOR_ONE];
const RANGE = /^([^–—-]*\d[^–—-]*?)\s*(?:[–—-]|\bto\b|\bbis\b)\s*([^–—-]*\d[^–—-]*)$/;
const MONEY = new RegExp(CURRENCY, 'u');

/**
 * The number that a text spells; undefined where it has two numbers, or none. A range of prices, and `From $5`, stand for their lower
 * bound. `hasDecimalPoint`: a point is known to be the decimal sign.
 */
export function readSpelledNumber(spelled: string, hasDecimalPoint = false): number | undefined {
  const text = spelled.trim();
  if (text.length > 60) return undefined;
  const number = readOneNumber(text, hasDecimalPoint);
  if (number !== undefined) return number;
  const amount = BESIDE_AMOUNTS.reduce((rest, beside) => rest.replace(beside, ''), text);
  const [, low, high] = RANGE.exec(amount) ?? [];
  if (low === undefined || high === undefined)
    return amount === text ? undefined : readOneNumber(amount, hasDecimalPoint);
  const isMoney = MONEY.test(low) || MONEY.test(high);
  const from = readOneNumber(low, hasDecimalPoint);
  const to = readOneNumber(high, hasDecimalPoint);
  return isMoney && from !== undefined && to !== undefined && from <= to ? from : undefined;
}

/** `90%`, in a column of percentages. */
export function readPercentage(text: string): number | undefined {
  const digits = /^([\d.,]+)\s*%$/.exec(text.trim())?.[1];
  return digits === undefined ? undefined : readDigits(digits);
}

/** Codes of currencies (ISO 4217, and two more): `SKU 0012` is no amount, `USD 12` is one. */
const CURRENCY_CODES = new Set([...Intl.supportedValuesOf('currency'), 'BTC', 'ETH']);
const isCurrency = (text: string): boolean => !/^[A-Z]{3}$/.test(text) || CURRENCY_CODES.has(text);

/** The sign or code of the currency in a text that spells an amount. */
function currencyIn(text: string): string | undefined {
  if (!/\d/.test(text) || text.length > 60) return undefined;
  const currency = MONEY.exec(text)?.[0].trim();
  return currency !== undefined && isCurrency(currency) ? currency : undefined;
}

/** Per name the number of values that have it, the commonest first. */
export type Counts = readonly (readonly [name: string, values: number])[];

export function countsOf(names: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** The currencies of a column of prices: `$`, `€`, `CHF`; values without one are not counted. */
export const currenciesOf = (values: readonly unknown[]): Counts =>
  countsOf(values.flatMap((value) => (typeof value === 'string' ? (currencyIn(value) ?? []) : [])));

/** Whether a text is an amount of money. */
export const isMoney = (text: string): boolean =>
  currencyIn(text) !== undefined && readSpelledNumber(text) !== undefined;

/** The scale that a rating names: `4/5`, `9.1/10`, `90%`, `★★★★☆`. */
export function namedScale(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.endsWith('%')) return '100';
  return /^[★☆]+$/.test(text) ? '5' : SCALE.exec(text)?.[1];
}

function readOneNumber(text: string, hasDecimalPoint: boolean): number | undefined {
  const word = NUMBER_WORD.exec(text)?.[1];
  if (word !== undefined) return NUMBER_WORDS.indexOf(word.toLowerCase());
  if (/^free!?$/i.test(text)) return 0;
  const stars = STAR_SIGNS.exec(text)?.[1];
  if (stars !== undefined) return stars.length;
  // A sign stands before or behind the currency: -$5, $-5.
  const [, outerSign, prefix, innerSign, digits, noHundredths, magnitude, suffix] = SPELLED_NUMBER.exec(text) ?? [];
  if (digits === undefined || (outerSign && innerSign)) return undefined;
  const money = prefix ?? suffix;
  const hasThousands =
    !hasDecimalPoint && (noHundredths !== undefined || (money !== undefined && !WITH_THREE_DECIMALS.has(money)));
  const size = hasThousands && THOUSANDS.test(digits) ? Number(digits.replace('.', '')) : readDigits(digits);
  if (size === undefined) return undefined;
  const sign = outerSign ?? innerSign;
  // A dash before a comma stands for no units: `-,89`.
  const isPositive = sign === undefined || sign === '+' || digits.startsWith(',');
  const amount = money === '¢' ? Number(`${size}e-2`) : size;
  return (isPositive ? 1 : -1) * scale(amount, magnitude);
}

/** Rewrites a number of a file with decimal commas: `1.234,5 €` becomes `1234.5 €`. */
export const withDecimalPoint = (text: string): string =>
  text.replace(/(?<!\d)(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?![\d.,])/, (digits) =>
    digits.replaceAll('.', '').replace(',', '.'),
  );

/** Multiplies by way of the decimal text, so that `4.1k` is 4100 and not 4099.9999999999995. */
function scale(size: number, magnitude: string | undefined): number {
  if (magnitude === undefined) return size;
  return Number(`${size}e${magnitude.toLowerCase() === 'k' ? 3 : 6}`);
}

const GROUPED = /^\d{1,3}([.,'’\u00a0\u202f ])\d{3}(?:\1\d{3})*$/;
/** As India writes: `1,09,999`. */
const GROUPED_BY_TWO = /^\d{1,2}(?:,\d\d)+,\d{3}$/;

/**
 * Decides which separators are those of thousands, and which is the decimal sign.
 *
 *     two kinds                      the last one is the decimal sign: 1.234,5
 *     one kind, several times        thousands: 1.234.567
 *     one comma before three digits  thousands: 1,234
 *     one point                      a decimal sign, as programs write it: 1.234
 */
function readDigits(digits: string): number | undefined {
  const separators = digits.replace(/\d/g, '');
  const last = separators.at(-1);
  if (last === undefined) return Number(digits);
  const at = digits.lastIndexOf(last);
  const isSingle = separators.length === 1;
  const hasKinds = new Set(separators).size > 1;
  if (isSingle && last === '.') return Number(digits);
  if (!hasKinds && isGrouped(digits)) return Number(digits.replace(/\D/g, ''));
  if (isSingle && last === ',') return Number(digits.replace(',', '.'));
  if (!hasKinds || (last !== '.' && last !== ',')) return undefined;
  const integerDigits = digits.slice(0, at);
  return isGrouped(integerDigits) ? Number(`${integerDigits.replace(/\D/g, '')}.${digits.slice(at + 1)}`) : undefined;
}

const isGrouped = (digits: string): boolean => GROUPED.test(digits) || GROUPED_BY_TWO.test(digits);

function anyInitial(word: string): string {
  const initial = word.charAt(0);
  return `[${initial}${initial.toUpperCase()}]${word.slice(1)}`;
}
