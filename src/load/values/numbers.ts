/**
 * Spellings of numbers in scrapes: `£51.77`, `1.234,56 €`, `Three`, `4.5 out of 5 stars`, `1.2k points`; the currencies and scales that
 * they name.
 */
import {
  ALONE,
  type Amount,
  CENT,
  endsWithDigit,
  firstDigitIn,
  isMinus,
  type NumberContext,
  OUT_OF_WORDS,
  readBare,
  readDigits,
  textBehindNumber,
} from './bare-amounts.js';
import { trimmed } from './texts.js';

/** JSON's own spelling: what a program writes. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function readPlainNumber(text: string): number | undefined {
  return JSON_NUMBER.test(text) ? Number(text) : undefined;
}

/** Every double is spelt with at most 17 digits. */
const MAX_DOUBLE_DIGITS = 17;
const significantDigits = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');

/** Whether the number that is read from a plain spelling is another one: `9007199254740993.5` is read as 9007199254740994. */
export function losesDigits(plain: string, number: number): boolean {
  if (plain.length < MAX_DOUBLE_DIGITS) return false;
  const digits = significantDigits(plain);
  const mayLose = digits.length > MAX_DOUBLE_DIGITS || Math.abs(number) > Number.MAX_SAFE_INTEGER;
  return mayLose && digits !== significantDigits(String(number));
}

/** No amount is longer. */
const MAX_AMOUNT_CHARS = 60;

/**
 * The number that a text spells; undefined where it has two numbers, or none. A range of prices, and `From $5`, stand for their lower
 * bound.
 */
export const readSpelledNumber = (spelled: string, context: NumberContext = ALONE): number | undefined =>
  readAmount(spelled, context)?.value;

/** The number that a text spells, with its currency, and with the upper end where it spells a range. */
export function readAmount(spelled: string, context: NumberContext = ALONE): Amount | undefined {
  const text = trimmed(spelled);
  const amount = text.length > MAX_AMOUNT_CHARS ? undefined : readBare(text, context);
  if (amount !== undefined) return amount;
  const plain = plainSpelling(text);
  if (plain !== text) return readAmount(plain, context);
  return text.length > MAX_AMOUNT_CHARS || firstDigitIn(text) < 0 ? undefined : readBeside(text, context);
}

/** The amount in ASCII digits, without markup: `١٬٨٩٩` is `1,899`, `&pound;5` is `£5`, `<del>$9</del> <b>$7</b>` is `$7`. */
function plainSpelling(text: string): string {
  let plain = text;
  if (text.startsWith('<') && text.length <= MAX_MARKUP_CHARS)
    plain = plain.replace(/<(del|s|strike)\b[^<>]*>.*?<\/\1>/gis, '').replace(/<[^<>]*>/g, '');
  if (text.includes('つ星')) plain = plain.replace(JAPANESE_STARS, '$2/$1');
  if (text.includes('&')) plain = plain.replace(ENTITY, characterOf);
  return OTHER_SCRIPTS.test(plain) ? plainDigits(plain) : plain;
}

/** `5つ星のうち4.3`: of five stars 4.3. */
const JAPANESE_STARS = /^(\d+)つ星のうち\s?(\d[\d.]*)$/;
/** Prices in HTML, as shops' plugins write them, are no longer. */
const MAX_MARKUP_CHARS = 1000;
/** The entities of amounts; markup.ts knows all, and is loaded by files that need it. */
const AMOUNT_ENTITIES: Readonly<Record<string, string>> = {
  ...{ pound: '£', euro: '€', yen: '¥', cent: '¢', dollar: '$', nbsp: ' ', thinsp: ' ', ndash: '–', minus: '−' },
};
const ENTITY = /&(?:#(\d{2,5})|#x([\da-f]{2,5})|([a-z]{3,6}));/gi;

function characterOf(entity: string, decimal?: string, hexadecimal?: string, name = ''): string {
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
  return (Object.hasOwn(AMOUNT_ENTITIES, name) && AMOUNT_ENTITIES[name]) || entity;
}

/** Digits of Arabic and Persian with their separators, and characters of full width: `١٬٨٩٩٫٠٠`, `￥１，８９９`. */
const OTHER_SCRIPTS = /[\u0660-\u066c\u06f0-\u06f9\uff00-\uff5e\uffe5]/;

const plainDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',');

/** Words for a price, by which a text before an amount is its label. */
const PRICE_WORD = String.raw`(?:price|preis|prix|prezzo|precio|preço|prijs|pris|cena|cijena|цена|ціна|fiyatı?|hinta|p\.?v\.?p\.?|uvp|rrp|msrp|m\.?r\.?p\.?|価格|特価|税込|税抜|价格|售价|가격)`;
/** Words before the lowest price or the current one: `From $5`, `ab 12,50 €`, `now $0.99`. */
const LOWER_BOUND_WORD =
  '(?:from|starting (?:at|from)|starts (?:at|from)|as low as|est\\.?|approx\\.?|ca\\.|only|just|now|sale|ab|nur|jetzt|à partir de|a partir de|a partire da|dès|desde|da|vanaf|från|fra|od|от|від)';
/** `Our Price: $149.95`, `Běžná cena 9 800 Kč`, `Pris från 172 kr`; not `Old price`, which was another. */
const PRICE_LABEL = new RegExp(
  String.raw`^(?:(?!old|previous|former|original|alter|ancien|vecchio)[\p{L}.']+\s+){0,2}${PRICE_WORD}(?:\s+${LOWER_BOUND_WORD})?\s*(?::|[-–—](?=\s)|[–—](?=\p{Sc}))?\s*(?=[^\s:])`,
  'iu',
);
const LOWER_BOUND = new RegExp(String.raw`^${LOWER_BOUND_WORD}\s*(?::\s*|\s)(?=\S)`, 'iu');
/** `2 pairs from $349`, `New (8) from $93.99`; not `20% off from $5`. */
const OFFERS_FROM = /^(?:(?!(?:save|off)\b)[\p{L}\d() ]){1,30}\sfrom\s+(?=\S*\p{Sc}|[A-Z]{3}\b)/iu;
/** `Was $20.00 Now $15.00`. */
const EARLIER_AHEAD =
  /^(?:was|statt|vorher|before|avant|antes)\s*:?\s[^()]*\d[^()]*?[\s,](?=(?:now|jetzt|nur|maintenant|ahora)\b)/i;

/** The unit that a price is for: `£12.99 each`, `7,00 €/Stück`, `₹ 499/-`, `$3.50 per lb`, `$25 an hour`, `£900 pcm`, `$36 /`. */
const FOR_ONE =
  /\s*(?:\/-(?:\s+only)?|\/?\s*\beach|\b(?:ea\.?|pcm|pw|pp|p\.?a\.?)|\ban?\s+(?:hour|day|night|week|month|year|person|piece)|(?:\/|\b(?:per|pro|je|par|por|al)\s)\s*(?:\d+\s*)?\p{L}{1,12}[²³]?\.?|\s\/)$/iu;
/** The former price behind the current one: `$0.99 was $1.99`. */
const EARLIER_PRICE = /\s*[(,]?\s*(?:\b(?:was|statt|instead of|RRP|UVP|MSRP)\b|M\.?R\.?P\b).*$/i;
const TAX = String.raw`(?:tax(?:es)?|vat|gst|mwst|ust|iva|tva|btw|moms|dph|ндс|kdv)\.?`;
/** `12,34 € inkl. 19 % MwSt.` */
const TAX_RATE = new RegExp(
  String.raw`\s*(?:inc|incl|inkl|including|ex|excl|exkl|plus|zzgl)\b\.?\s*\d{1,2}(?:[.,]\d)?\s?%\s*${TAX}[\p{L}. ]*$`,
  'iu',
);
/**
 * Signs and notes behind an amount: of a footnote (`34,50 € *`), of the lowest price (`$18.99+`, `1899起`), of taxes (`€6.56 + VAT`,
 * `184,20 € HT`, `12,90 € inkl. MwSt. zzgl. Versand`), and, only of money, of shipping, of a dollar's country, and a stray point (`€ 610,`).
 */
const NOTE = new RegExp(
  String.raw`^(\D{0,6}?)\s*(?:\*{1,3}|[¹²³]|\+|起|から|부터|\+?\s*${TAX}|(?:inc|incl|inkl|including|ex|excl|exkl|excluding|plus|with|without|s|bez|vč)\b\.?\s*${TAX}[\p{L}. ]*|${TAX}\s+inc[\p{L}.]*|(?<=[\s\p{Sc}])(?:ht|ttc)|brutto|netto|税込|税抜|税別|(?<ofMoney>(?:\+|zzgl\.?|plus|excl\.?|exkl\.?)\s*(?:shipping|postage|versand|p\s?&\s?p)\p{L}*|u\.?s\.?(?:a\.?)?|[.,]\s?[–-]?))$`,
  'iu',
);
/** Brackets behind an amount may hold a text without a number (`税込`), a share (`45% off`), or, behind a rating, the number of ratings. */
const REMARK = /^(?:[^()\d]*|\s*[-–]?\d{1,2}\s*%\s*(?:off)?\s*)$/;
/** `$5.49 ($0.46 / Ounce)`, `12,34 € (1 l = 24,68 €)` */
const PRICE_FOR_ONE = /\d\D{0,4}(?:\/|\bper\b|\bpro\b)\s*(?:\d+\s*)?\p{L}|^\d+\s?\p{L}{1,5}\s?=\s?\P{L}*\d/u;
const RATING_COUNT = /^\s*[\d.,'\u00a0\u202f ]+[kKmM]?\+?(?:\s\p{L}{1,15})?\s*$/u;
/** `4.5 out of 5 stars, 1,234 ratings`, `4.5 · 12 reviews` */
const RATINGS_BEHIND =
  /(?<=\d\D{0,8})\s?[,;·|]\s*[\d.,]+[kKmM]?\+?\s+(?:(?:global|customer)\s)?(?:ratings?|reviews?|votes?|bewertungen|avis|opiniones|valoraciones|recensioni|avaliações)$/i;
const BRACKETED = /^([^()]*\d[^()]*?)\s*\(([^()]*)\)$/;
/** Decimals apart from their units: `$ 8. 94`, `3 .99`; beside a currency `118, 99 TL`. */
const APART = /(?<=\d) ?\. ?(?=\d\d(?!\d))/;
const APART_BY_COMMA = /(?<=\d), (?=\d\d(?!\d))/;
/** A sign in place of the decimal one: `12€90`. */
const SIGN_BETWEEN = /^(\d+)\s?(\p{Sc})\s?(\d\d)$/u;
/** Cents that stood higher: `$18 99`. */
const RAISED_CENTS = /^(\p{Sc}\s?\d{1,3}(?:,\d{3})*) (\d\d)$/u;
/** The same amount again, as it is written for screen readers: `$18.99$18.99`. */
const TWICE = /^(\S.*?\S)\s?\1$/;
const RANGE = /^([^–—-]*\d[^–—-]*?)\s*(?:(?<!\d[eE])[–—-]|\bto\b|\bbis\b)\s*([^–—-]*\d[^–—-]*)$/;
/** A number, with a currency of some letters before it at most. */
const BEGINS_AS_AMOUNT = /^\P{L}*(?:\p{L}[\p{L}\p{M}.'"/]{0,6}[^\p{L}\d]{0,3})?\d/u;

/** Some sign, bracket or word of a note behind a number; most texts have none, and are no amounts. */
const MAY_BE_NOTE =
  /[\d(*+./,–—¹²³\p{Sc}起-]|から|부터|税|each|\b(?:ea|an?|pcm|pw|pp|p\.?a|per|pro|je|par|por|al|inc|incl|inkl|including|ex|excl|exkl|excluding|plus|with|without|bez|ht|ttc|brutto|netto|was|statt|instead|rrp|uvp|msrp|u\.?s)\b|\bs\s/iu;

/** Reads an amount without its labels and notes, or the lower end of a range. */
function readBeside(text: string, context: NumberContext): Amount | undefined {
  if (text.startsWith('(')) return readDebit(text, context);
  const amountText = new AmountText(text);
  const isBare = BEGINS_WITH_NUMBER.test(text);
  const hasEarlier = !isBare && amountText.leaveOut(EARLIER_AHEAD, true);
  if (!isBare) amountText.leaveOut(/^:\s*(?=\S)/, true);
  const isPrice = !isBare && amountText.leaveOut(PRICE_LABEL);
  const hasBound = !isBare && amountText.leaveOut(LOWER_BOUND);
  if (!hasBound && text.includes('from')) amountText.leaveOut(OFFERS_FROM, true);
  if (!BEGINS_AS_AMOUNT.test(amountText.text)) return undefined;
  let amount = amountText.text === text ? undefined : readBare(amountText.text, context);
  if (amount === undefined && !mayHoldNote(amountText.text)) return undefined;
  if (amountText.text.endsWith(')') && amountText.leaveOutBracket(context)) amount = readBare(amountText.text, context);
  else if (endsWithDigit(amountText.text)) amount ??= readRange(amountText.text, context, isPrice);
  if (amount === undefined) {
    amountText.leaveOutNotes();
    amount = readRange(amountText.text, context, isPrice);
  }
  if (amount === undefined || (amountText.needsMoney && amount.money === undefined)) return undefined;
  // `Was: $124.95 Now: $0.00` is a template without its price.
  return hasEarlier && amount.value === 0 ? undefined : amount;
}

/** A text of which labels and notes are left out, until it is an amount alone: `now only $5.49 each` → `$5.49`. */
class AmountText {
  text: string;
  /** Something was left out that stands beside amounts of money only. */
  needsMoney = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Leaves out what the pattern finds, or writes `by` for it; returns whether it was there. `isOfMoney`: only beside an amount of money. */
  leaveOut(pattern: RegExp, isOfMoney = false, by = ''): boolean {
    const shorter = this.text.replace(pattern, by);
    if (shorter === this.text) return false;
    this.needsMoney ||= isOfMoney;
    this.text = shorter;
    return true;
  }

  leaveOutNotes(): void {
    this.leaveOut(EARLIER_PRICE);
    this.leaveOut(RATINGS_BEHIND);
    this.leaveOut(TAX_RATE, true);
    if (!endsWithDigit(this.text)) {
      const notesFrom = this.text.search(/\D*$/);
      const [whole, keptText, ofMoney] = NOTE.exec(this.text.slice(notesFrom)) ?? [];
      if (whole !== undefined) {
        this.text = this.text.slice(0, notesFrom) + keptText;
        this.needsMoney ||= ofMoney !== undefined;
      }
    }
    // `1/2 cup` is no price of two cups.
    this.leaveOut(FOR_ONE, /\d\/\d/.test(this.text));
    this.leaveOut(APART, false, '.');
    this.leaveOut(APART_BY_COMMA, true, ',');
    this.leaveOut(SIGN_BETWEEN, false, '$1.$3$2');
    this.leaveOut(RAISED_CENTS, false, '$1.$2');
    this.leaveOut(TWICE, true, '$1');
  }

  /** Leaves out a bracket that does not say another amount of the same money. */
  leaveOutBracket(context: NumberContext): boolean {
    const [, amountText, inner] = BRACKETED.exec(this.text) ?? [];
    if (amountText === undefined || inner === undefined) return false;
    const isOfMoney = REMARK.test(inner) || PRICE_FOR_ONE.test(inner);
    const isOfAmount = isOfMoney || RATING_COUNT.test(inner);
    if (!isOfAmount && !isOtherMoney(readBare(amountText, context), readBare(inner, context))) return false;
    this.needsMoney ||= isOfMoney;
    this.text = amountText;
    return true;
  }
}

const BEGINS_WITH_NUMBER = /^[\d\p{Sc}]/u;

const mayHoldNote = (text: string): boolean => MAY_BE_NOTE.test(textBehindNumber(text)) || RAISED_CENTS.test(text);

/** As accounts write what is owed: `($5.00)`. */
function readDebit(text: string, context: NumberContext): Amount | undefined {
  const amount = text.endsWith(')') ? readBare(text.slice(1, -1), context) : undefined;
  return amount?.money === undefined ? undefined : { ...amount, value: -amount.value };
}

/** The same amount in another currency: `AED 8000 (USD 2179)`. */
const isOtherMoney = (amount: Amount | undefined, other: Amount | undefined): boolean =>
  amount?.money !== undefined && other?.money !== undefined && amount.money.name !== other.money.name;

/** `isPrice`: a label says that the ends are prices. */
function readRange(text: string, context: NumberContext, isPrice: boolean): Amount | undefined {
  const [, low, high] = RANGE.exec(text) ?? [];
  if (low === undefined || high === undefined) return readBare(text, context);
  const lower = readBare(low, context);
  const to = readBare(high, endContext(context, lower));
  const from = withScaleOf(to?.money === undefined ? lower : readBare(low, endContext(context, to)), to);
  const money = from?.money ?? to?.money;
  if (from === undefined || to === undefined || (money === undefined && !isPrice) || from.value > to.value)
    return undefined;
  return { value: from.value, money, upper: to.value };
}

/** A currency at one end of a range is that of both: `€40.000 – 55.000` ends at 55,000. */
const endContext = (context: NumberContext, otherEnd: Amount | undefined): NumberContext =>
  otherEnd?.money === undefined ? context : { ...context, isMoney: true };

/** A scale behind the upper end is that of both: `$80-100k` begins at 80,000. */
function withScaleOf(from: Amount | undefined, to: Amount | undefined): Amount | undefined {
  const { exponent = 0 } = to ?? {};
  return from === undefined || from.exponent !== 0 || exponent === 0
    ? from
    : { ...from, value: Number(`${from.value}e${exponent}`) };
}

const PERCENTAGE = /^([-+−–]?)\s?([\d.,]+)\s*%$/;

/** `90%` and `-20 %`, in a column of percentages. */
export function readPercentage(text: string): number | undefined {
  const [, sign = '', digits] = PERCENTAGE.exec(trimmed(text)) ?? [];
  const size = digits === undefined ? undefined : readDigits(digits);
  return size !== undefined && isMinus(sign) ? -size : size;
}

/** Per name the number of values that have it, the commonest first. */
export type SignCounts = readonly (readonly [name: string, values: number])[];

export const sortedCounts = (counts: ReadonlyMap<string, number>): SignCounts =>
  [...counts].sort(([, a], [, b]) => b - a);

/** The currency of an amount; undefined of cents, whose currency is that of other amounts. */
export const currencyOf = (amount: Amount | undefined): string | undefined =>
  amount?.money?.name === CENT ? undefined : amount?.money?.name;

/** Whether a text is an amount of money: it has a currency, or a sign for no hundredths. */
export function isMoney(text: string): boolean {
  const { money, hasNoHundredths = false } = readAmount(text) ?? {};
  return money !== undefined || hasNoHundredths;
}

const SCALE = new RegExp(String.raw`\d\s*${OUT_OF_WORDS}(\d+)`, 'i');

/** The scale that a rating names: `4/5`, `9.1/10`, `90%`, `★★★★☆`. */
export function namedScale(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = trimmed(value);
  if (text.endsWith('%')) return '100';
  return /^[★☆]+$/.test(text) ? '5' : SCALE.exec(plainSpelling(text))?.[1];
}

/** The decimal sign that a text proves of its column: `1.234,50` the comma, `1,234.50` the point. */
export type DecimalSign = 'comma' | 'point';

/** Whether the number of a text has a point or comma: the point of `15,000 kr.` and `Rs.499` is one of a word. */
export const hasPoint = (text: string): boolean => /(?<!\p{L})\.\d/u.test(text);
export const hasComma = (text: string): boolean => /(?<!\p{L}),\d/u.test(text);

/** Rewrites a number of a file with decimal commas: `1.234,5 €` becomes `1234.5 €`. A number with an exponent is a program's: `1.234e-05`. */
export const withDecimalPoint = (text: string): string =>
  text.replace(/(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?![\d.]|,\d|[eE][+-]?\d)/g, (digits) =>
    digits.replaceAll('.', '').replace(',', '.'),
  );
