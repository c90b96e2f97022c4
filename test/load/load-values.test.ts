import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { orderProofsIn } from '../../src/load/profile/spelling-proofs.js';
import {
  canonicalTime,
  isRelativeDate,
  provenOrder,
  readDate,
  readEpoch,
  readRelativeDate,
} from '../../src/load/values/dates.js';
import { isMoney, readAmount, readSpelledNumber } from '../../src/load/values/numbers.js';
import { isNullWord } from '../../src/load/values/texts.js';
import { readCell } from '../../src/load/values/values.js';
import { collections, type Field } from '../../src/model.js';
import { canonicalDate, guardFormula, printable, unguardFormula } from '../../src/text.js';
import { fieldSchema } from '../support/value-schema.js';

describe('numbers', () => {
  it.each([
    ['386', 386],
    ['£51.77', 51.77],
    ['Â£51.77', 51.77],
    ['US$9.56', 9.56],
    ['US $9.56', 9.56],
    ['Free', 0],
    ['$1,234.56', 1234.56],
    ['1.234,56 €', 1234.56],
    ['1 234,56 €', 1234.56],
    ['1\u00a0234,56 €', 1234.56],
    ["CHF 1'234.50", 1234.5],
    ['12,5', 12.5],
    ['1,234', 1234],
    ['1.234', 1.234],
    ['1.234 €', 1234],
    ['Rp150.000', 150_000],
    ['0.125 €', 0.125],
    ['12.500 KWD', 12.5],
    ['1.234 points', 1.234],
    ['RM 12.50', 12.5],
    ['1,200円', 1200],
    ['1 350,00 руб.', 1350],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['₹1,09,999.50', 109_999.5],
    ['-£5', -5],
    ['£-5', -5],
    ['−3', -3],
    ['+7', 7],
    ['.5', 0.5],
    ['007', 7],
    ['R$ 10,00', 10],
    ['Rs. 499', 499],
    ['199 kr', 199],
    ['199:-', 199],
    ['CHF 12.–', 12],
    ['12,-- €', 12],
    ['9.56 USD', 9.56],
    ['TRY -12', -12],
    ['TRY 12', 12],
    ['TRY12', 12],
    ['Three', 3],
    ['star-rating Four', 4],
    ['five stars', 5],
    ['4.5 out of 5 stars', 4.5],
    ['4.5 out of 5', 4.5],
    ['4,5 / 5', 4.5],
    ['4/5', 4],
    ['★★★☆☆', 3],
    ['386 points', 386],
    ['12 Comments', 12],
    ['4.5 ★', 4.5],
    ['Rated 4.50 out of 5', 4.5],
    ['4,5 von 5 Sternen', 4.5],
    ['4,5 sur 5 étoiles', 4.5],
    ['1 comment', 1],
    ['1.2k points', 1200],
    ['4.1k', 4100],
    ['3M', 3_000_000],
    ['From $5', 5],
    ['ab 12,50 €', 12.5],
    ['à partir de 7 €', 7],
    ['$10 - $20', 10],
    ['10 – 20 €', 10],
    ['$1,000 to $2,000', 1000],
    ['€60k - €80k', 60_000],
    ['From £3.50 - £4', 3.5],
    ['₹ 499/-', 499],
    ['£12.99 each', 12.99],
    ['7,00 €/Stück', 7],
    ['$3.50 per lb', 3.5],
    ['$0.99 was $1.99', 0.99],
    ['4.5 (1,234)', 4.5],
    ['4,5 (1.234 Bewertungen)', 4.5],
    ['Our Price: $149.95', 149.95],
    ['Cena 283,50 PLN', 283.5],
    ['£25.00 (tax incl.)', 25],
    ['34,50 € *', 34.5],
    ['€6.56 + VAT', 6.56],
    ['$8.1e-06', 0.0000081],
    ['-€8,1E-06', -0.0000081],
    ['$1.299e-05', 0.00001299],
    ['1e-7 BTC', 1e-7],
    ['$5e-8 per unit', 5e-8],
    ['R$ 2.5E+3', 2500],
    ['950 грн.', 950],
    ['230 лв.', 230],
    ['3 100р.', 3100],
    ['199.90 Fr.', 199.9],
    ['157,000 تومان', 157_000],
    ['1,899 บาท', 1899],
    ['KSh 1,899', 1899],
    ['423.923 KD', 423.923],
    ['1.899,-', 1899],
    ['1.899:-', 1899],
    ['€ 1.899,=', 1899],
    ['-,89', 0.89],
    ['–,49 €', 0.49],
    ['-.5', -0.5],
    ['25 MOP$', 25],
    ['99¢', 0.99],
    ['Free!', 0],
    ['kostenlos', 0],
    ['R1,450.00', 1450],
    ['R 2 450.00', 2450],
    ['Ksh 2,350.00', 2350],
    ['KSh 2,350', 2350],
    ['17,40 KM', 17.4],
    ['1.250,00 kn', 1250],
    ['480 zł', 480],
    ['480 ZŁ', 480],
    ['64,90 pln', 64.9],
    ['2,490円(税込)', 2490],
    ['税込2,490円', 2490],
    ['￥２，４９０', 2490],
    ['٢٬٤٩٠٫٥٠', 2490.5],
    ['2,490.00 ر.س', 2490],
    ['79 ש"ח', 79],
    ['350.000 VNĐ', 350_000],
    ['350 forint', 350],
    ['120 рублей', 120],
    ['75 euros', 75],
    ['DEM 240 000', 240_000],
    ['Fr. 17.40', 17.4],
    ['12.500 TND', 12.5],
    ['₹ 3.5 Lakh', 350_000],
    ['₹ 85 L', 8_500_000],
    ['2.4 Cr', 24_000_000],
    ['3.2万円', 32_000],
    ['$1.75 million', 1_750_000],
    ['Pris från 245 kr', 245],
    ['od 17,40 zł', 17.4],
    ['Preis: 17,40 €', 17.4],
    ['Preis - 17,40 €', 17.4],
    ['Price–$17.40', 17.4],
    ['Preis: -17,40 €', -17.4],
    ['12 M€', 12_000_000],
    ['25 A$', 25],
    ['US$:17.40', 17.4],
    ['RRP £17.40', 17.4],
    ['3 packs from $17', 17],
    ['$17.40+', 17.4],
    ['1740起', 1740],
    ['$17.40 (ea)', 17.4],
    ['₹1,740 (30% off)', 1740],
    ['CHF 90 (USD 102)', 90],
    ['£17.40 excl. VAT', 17.4],
    ['17,40 € inkl. MwSt. zzgl. Versand', 17.4],
    ['Was $25.00 Now $17.40', 17.4],
    ['₹1,740 M.R.P.: ₹2,500', 1740],
    ['$17.40$17.40', 17.4],
    ['$17 40', 17.4],
    ['17€40', 17.4],
    ['$ 17. 40', 17.4],
    ['17, 40 TL', 17.4],
    ['€ 1740.', 1740],
    ['($17.40)', -17.4],
    ['&pound;5.00', 5],
    ['&#163;7.00', 7],
    ['6,50&nbsp;&euro;', 6.5],
    ['<span class="amount"><bdi><span class="currency">&pound;</span>12.50</bdi></span>', 12.5],
    ['<del><span>$20.00</span></del> <ins>$15.00</ins>', 15],
    ['$5.49 ($0.46 / Ounce)', 5.49],
    ['Est. $875K', 875_000],
    ['$80-100k', 80_000],
    ['€1.2–1.5M', 1_200_000],
    ['$10k-20k', 10_000],
    ['$60,000 - $80,000 a year', 60_000],
    ['From $25 an hour', 25],
    ['£900 pcm', 900],
    ['£12 pp', 12],
    ['â‚¬12,50', 12.5],
    ['5つ星のうち4.3', 4.3],
    ['4.5 out of 5 stars, 1,234 ratings', 4.5],
    ['4,5 · 12 Bewertungen', 4.5],
    ['S/.129.90', 129.9],
    ['17,40 €¹', 17.4],
    ['17,40 € inkl. 19 % MwSt.', 17.4],
    ['12,34 € (1 l = 24,68 €)', 12.34],
    ['9,50 €/m²', 9.5],
    ['50 cents', 0.5],
    ['KD 12.500', 12.5],
  ])('%s → %d', (text, value) => {
    expect(readSpelledNumber(text)).toBe(value);
    expect(readSpelledNumber(` ${text}\n`)).toBe(value);
  });

  it.each([
    'call us',
    '',
    '£',
    '20% off',
    '£20 - £10',
    '10-20',
    '(1,234)',
    '1,2,3',
    '1.23.4',
    '12,34,567.8.9',
    '3 of a kind',
    'Three4',
    '50%',
    '555-1234',
    'USD-5',
    'PAB-10206',
    'Kr-5',
    'Rs-500',
    'TRY−12',
    'ALL–5',
    'Size 10-12',
    'Price on request',
    'Price list 2024',
    '7 раз',
    '1.2.3*',
    'Our Price: 3 of 4 shops',
    'Save $20',
    'Shipping: $5',
    'Old price: $20',
    'up to $20',
    '$20 off',
    '2 for $5',
    '$25.00 $17.40',
    'Was $25.00 Now $0.00',
    '- $17.40',
    'Fr. 12',
    'R 12',
    'R12',
    '12 L',
    '0.75 L',
    '12GB',
    '12 m',
    '12 all',
    'BAD 12',
    'SKU 12',
    'Top 10',
    '12 won',
    '(12)',
    '17€4',
    '17:40',
    '&copy;2024',
    '$5.49 ($0.46)',
    // Tunis has decimals there, Kuwait thousands.
    '4.5, 1,234',
    '10 - 12 reviews',
    '12,500 TND',
    '12,500 KWD',
  ])('%s is no number', (text) => expect(readSpelledNumber(text)).toBeUndefined());
});

describe('money', () => {
  it.each([
    ['£5', '£'],
    ['USD 12', 'USD'],
    ['199 kr', 'kr'],
    ['5 lei', 'lei'],
    ['1,899 บาท', 'บาท'],
    ['Fr. 12.50', 'Fr'],
    ['Rs. 499', 'Rs'],
    ['R1,450.00', 'R'],
    ['12,90 KM', 'KM'],
    ['K 12.50', 'K'],
    ['Â£51.77', '£'],
    ['US$12', 'US$'],
    ['ALL 1,200.00', 'ALL'],
    ['from 9.50 usd', 'usd'],
    ['M 12.50', 'M'],
  ])('%s is an amount in %s', (text, currency) => expect(readAmount(text)?.money?.name).toBe(currency));

  it.each([
    ...['35 KM', '85,000 KM', '25 K', '12', '1,234', 'Three', '4.5 ★', '12 km', 'TOP 10', 'ALL 5'],
    ...['v1.10', 'x 5.50', 'b1,234', '12.50 v'],
  ])('%s names no money', (text) => expect(isMoney(text)).toBe(false));

  it.each(['249,-', '1.899:-', '12.–', '1 249,=', '99,-*'])('%s is money, of no hundredths', (text) =>
    expect(isMoney(text)).toBe(true),
  );

  it.each([
    ['25 K', 'K', 25],
    ['R499', 'R', 499],
    ['KSh 500', 'KSh', 500],
    ['25 K', '$', 25_000],
    ['R499', '$', undefined],
  ])('%s of a column in %s → %d', (text, currency, value) => expect(readSpelledNumber(text, { currency })).toBe(value));

  it('of a range both ends are read', () => {
    expect(readAmount('€60k - €80k')).toMatchObject({ value: 60_000, upper: 80_000 });
    expect(readAmount('Our price 12.50 - 17.40')).toMatchObject({ value: 12.5, upper: 17.4 });
    expect(readAmount('€60k')).not.toHaveProperty('upper');
  });

  it('each currency of the platform is read by its code, its sign and its name', () => {
    const amounts = Intl.supportedValuesOf('currency').flatMap((currency) =>
      (['code', 'name', 'symbol'] as const).map((currencyDisplay) =>
        new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay }).format(1234567),
      ),
    );
    const unread = amounts.filter((amount) => readSpelledNumber(amount) !== 1234567);
    // The names of two have digits.
    expect(unread.filter((amount) => !/\(\d{4}/.test(amount))).toEqual([]);
  });
});

it('a point of a file with decimal commas is no separator of thousands', () => {
  const context = { isCsv: true, dateOrder: undefined, decimalSign: 'comma' } as const;
  const read = (cell: string) => readCell({ name: 'price', kind: 'number', description: '' }, cell, context).value;
  expect(['12,345 €', '1.299 €'].map(read)).toEqual([12.345, 1299]);
});

describe('dates', () => {
  it.each([
    ['2016-08-04', '2016-08-04T00:00:00Z'],
    ['2016-08-04T11:52', '2016-08-04T11:52:00Z'],
    ['2016-08-04 11:52:30', '2016-08-04T11:52:30Z'],
    ['2016-08-04T11:52:30.250Z', '2016-08-04T11:52:30.250Z'],
    ['2016-08-04T11:52:30.000Z', '2016-08-04T11:52:30Z'],
    ['2016-08-04T11:52:30.123456+02:00', '2016-08-04T09:52:30.123Z'],
    ['2016-08-04T11:52:30+0530', '2016-08-04T06:22:30Z'],
    ['2016-08-04 11:52:30 UTC', '2016-08-04T11:52:30Z'],
    ['20160804', '2016-08-04T00:00:00Z'],
    ['2016/08/04', '2016-08-04T00:00:00Z'],
    ['2024-12-5-T00:00:00Z', '2024-12-05T00:00:00Z'],
    ['8/14/2016 11:52', '2016-08-14T11:52:00Z'],
    ['14/8/2016', '2016-08-14T00:00:00Z'],
    ['04.08.2016 11:52', '2016-08-04T11:52:00Z'],
    ['8/8/2016 0:01', '2016-08-08T00:01:00Z'],
    ['8/14/2016 11:52 PM', '2016-08-14T23:52:00Z'],
    ['8/14/2016 12:00 AM', '2016-08-14T00:00:00Z'],
    ['Thu, 04 Aug 2016 11:52:00 +0000', '2016-08-04T11:52:00Z'],
    ['Thu, 4 Aug 2016 11:52:00 EST', '2016-08-04T16:52:00Z'],
    ['Thu, 04 Aug 2016 11:52:00 GMT', '2016-08-04T11:52:00Z'],
    ['Thu,04 Aug 2016 11:52:00 UT', '2016-08-04T11:52:00Z'],
    ['thu, 4 aug 16 11:52 gmt', '2016-08-04T11:52:00Z'],
    ['Sat, 31 Dec 94 23:59:60 GMT', '1995-01-01T00:00:00Z'],
    ['Sat, 31 Dec 1994 23:59:61 GMT', undefined],
    ['4 Aug 216', undefined],
    ['20160804T115230Z', '2016-08-04T11:52:30Z'],
    ['20160804115230', '2016-08-04T11:52:30Z'],
    ['20160804T1152+02', '2016-08-04T09:52:00Z'],
    ['20160804T115230,25Z', '2016-08-04T11:52:30.250Z'],
    ['20160804T2552Z', undefined],
    ['2016-08-04T24:00:00Z', '2016-08-05T00:00:00Z'],
    ['2016-08-04T24:00:01Z', undefined],
    ['2016-08-04T24:00:00.5Z', undefined],
    ['August 4, 2016', '2016-08-04T00:00:00Z'],
    ['Aug 4, 2016 at 11:52 AM', '2016-08-04T11:52:00Z'],
    ['4th September 2016', '2016-09-04T00:00:00Z'],
    ['4 Sept. 2016', '2016-09-04T00:00:00Z'],
    ['Thu Aug  4 11:52:00 2016', '2016-08-04T11:52:00Z'],
    ['Thu Aug 04 11:52:00 +0100 2016', '2016-08-04T10:52:00Z'],
    ['Thu Aug 4 11:52:00 2016 -0100', '2016-08-04T12:52:00Z'],
    ['1470311520', '2016-08-04T11:52:00Z'],
    ['1470311520000', '2016-08-04T11:52:00Z'],
    ['1470311520.5', '2016-08-04T11:52:00.500Z'],
    ['2000-02-29', '2000-02-29T00:00:00Z'],
    ['1900-02-29', undefined],
    ['2016-13-01', undefined],
    ['2016-08-04T25:00', undefined],
    ['13/13/2016', undefined],
    ['2016', undefined],
    ['4. März 2024', '2024-03-04T00:00:00Z'],
    ['Dienstag, 5. März 2024 um 11:52 Uhr', '2024-03-05T11:52:00Z'],
    ['Mi., 3. Okt. 2018', '2018-10-03T00:00:00Z'],
    ['1er août 2016', '2016-08-01T00:00:00Z'],
    ['mardi 5 mars 2024 à 11:52', '2024-03-05T11:52:00Z'],
    ['5 juil. 2024', '2024-07-05T00:00:00Z'],
    ['5 jui 2024', undefined],
    ['5 de marzo de 2024', '2024-03-05T00:00:00Z'],
    ['lunes, 5 de enero de 2026', '2026-01-05T00:00:00Z'],
    ['5 marzo 2024', '2024-03-05T00:00:00Z'],
    ['12 maggio 2024', '2024-05-12T00:00:00Z'],
    ['segunda-feira, 5 de março de 2024', '2024-03-05T00:00:00Z'],
    ['3 out 2024', '2024-10-03T00:00:00Z'],
    ['5 марта 2024', '2024-03-05T00:00:00Z'],
    ['5 марта 2024 г. в 11:52', '2024-03-05T11:52:00Z'],
    ['٥ مارس ٢٠٢٤', '2024-03-05T00:00:00Z'],
    ['2024年3月5日', '2024-03-05T00:00:00Z'],
    ['2024年3月5日 11:52', '2024-03-05T11:52:00Z'],
    ['2024년 3월 5일', '2024-03-05T00:00:00Z'],
    ['31. April 2024', undefined],
    ['Published: March 5, 2024', '2024-03-05T00:00:00Z'],
    ['Posted on 4 Aug 2016', '2016-08-04T00:00:00Z'],
    ['3:04 PM, March 5, 2024', '2024-03-05T15:04:00Z'],
    ['3:04 p.m. · Mar. 5, 2024', '2024-03-05T15:04:00Z'],
    ['7 a.m. 05.03.2024', '2024-03-05T07:00:00Z'],
    ['March 5, 2024 at noon', '2024-03-05T12:00:00Z'],
    ['5 mars 2024 à 15h04', '2024-03-05T15:04:00Z'],
    ['5 mars 2024, 15 h', '2024-03-05T15:00:00Z'],
    ['05.03.24 um 15:04 Uhr', '2024-03-05T15:04:00Z'],
    ['5 Mar 2024 15:04 (CET)', '2024-03-05T14:04:00Z'],
    ['Tue, 5 Mar 2024 15:04:00 +0200 (EET)', '2024-03-05T13:04:00Z'],
    ['Tue Mar 5 15:04:00 2024 +0200', '2024-03-05T13:04:00Z'],
    ['05-Mar-24 15h04', '2024-03-05T15:04:00Z'],
    ['05.03.2024 15.04', '2024-03-05T15:04:00Z'],
    ['5. 3. 2024 v 15:04', '2024-03-05T15:04:00Z'],
    ['13/3/24 9:02:43.5', '2024-03-13T09:02:43.500Z'],
    ['2024年03月05日15时04分', '2024-03-05T15:04:00Z'],
    ['2024年3月5日(火) 15時4分', '2024-03-05T15:04:00Z'],
    ['2024年3月5日下午3:04', '2024-03-05T15:04:00Z'],
    ['2024년 3월 5일 오후 3시 4분', '2024-03-05T15:04:00Z'],
    ['5 maart 2024', '2024-03-05T00:00:00Z'],
    ['5 marca 2024', '2024-03-05T00:00:00Z'],
    ['5. března 2024', '2024-03-05T00:00:00Z'],
    ['2024. március 5.', '2024-03-05T00:00:00Z'],
    ['5 martie 2024', '2024-03-05T00:00:00Z'],
    ['5. ožujka 2024.', '2024-03-05T00:00:00Z'],
    ['5 март 2024', '2024-03-05T00:00:00Z'],
    ['5 березня 2024 р. о 15:04', '2024-03-05T15:04:00Z'],
    ['5 Ağustos 2024 Pazartesi', '2024-08-05T00:00:00Z'],
    ['5 Μαρτίου 2024', '2024-03-05T00:00:00Z'],
    ['5 mars 2024 kl. 15.04', '2024-03-05T15:04:00Z'],
    ['5. maaliskuuta 2024 klo 15.04', '2024-03-05T15:04:00Z'],
    ['ngày 5 tháng 3 năm 2024', '2024-03-05T00:00:00Z'],
    ['5 มีนาคม 2567', '2024-03-05T00:00:00Z'],
    ['५ मार्च २०२४', '2024-03-05T00:00:00Z'],
    ['2024-бер-05', '2024-03-05T00:00:00Z'],
    ['5 มกราคม 2567', '2024-01-05T00:00:00Z'],
    ['Di., 05.03.2024, 15:04 Uhr', '2024-03-05T15:04:00Z'],
    ['Le 13/03/2024', '2024-03-13T00:00:00Z'],
    ['Version 5.3.2024', undefined],
    ['5/Mar/2024:15:04:05 +0100', '2024-03-05T14:04:05Z'],
    ['5 March 2024, Tuesday', '2024-03-05T00:00:00Z'],
    ['Mar 5, 2024 | 3:04 pm PST', '2024-03-05T23:04:00Z'],
    ['5 Mar 2024 15:04 CEST', '2024-03-05T13:04:00Z'],
    ['Last updated 5 March 2024', '2024-03-05T00:00:00Z'],
    ['3 hours ago', undefined],
    ['Foo 4, 2016', undefined],
    // October in Croatia, November in Poland.
    ['5 listopada 2024', undefined],
    ['5 Mar 2024 15:04 XYZ', undefined],
    ['Mar 5, 2024 15:04 PM', undefined],
    ['10-11-12', undefined],
    ['Top 10 films of 2024', undefined],
    ['5 May 2020 Edition', undefined],
    ['12 x 5 mar 2024', undefined],
    ['5 Mar 2024 12.99', undefined],
    ['March 2024', undefined],
  ])('%s → %s', (text, expected) => {
    const reading = readDate(text);
    expect(typeof reading === 'string' ? undefined : canonicalDate(reading.timeMs)).toBe(expected);
  });

  it('of feeds are read as those that only the general way reads', () => {
    const clocks = [
      '00:00:00 GMT',
      '23:59:59 +1400',
      '24:00:00 GMT',
      '12:00:60 -0530',
      '12:60:00 GMT',
      '12:00:00 -1600',
    ];
    for (const day of ['1', '05', '28', '29', '31'])
      for (const month of ['Jan', 'Feb', 'Jun', 'Foo'])
        for (const year of ['2024', '0099'])
          for (const clock of clocks) {
            const text = `${day} ${month} ${year} ${clock}`;
            expect([text, readDate(`Mon, ${text}`)]).toEqual([text, readDate(`Mon ${text}`)]);
          }
  });

  it('asks for the order where a date could be either', () => {
    expect(readDate('8/4/2016')).toBe('order');
    expect(readDate('8/4/2016', 'month first')).toEqual({ timeMs: Date.UTC(2016, 7, 4) });
    expect(readDate('8/4/2016', 'day first')).toEqual({ timeMs: Date.UTC(2016, 3, 8) });
    expect(readDate('8/14/2016', 'day first')).toEqual({ timeMs: Date.UTC(2016, 7, 14) });
    expect(readDate('8/4/16')).toBe('order');
    expect((['month first', 'day first', undefined] as const).map((order) => readDate('24/03/05', order))).toEqual([
      'unreadable',
      { timeMs: Date.UTC(2005, 2, 24) },
      'order',
    ]);
    expect(
      ['8/4/2016', '14/8/2016', '8/14/2016 1:00', '9:02 14/8/16', '14.8.2016', '9/14'].map((text) => provenOrder(text)),
    ).toEqual([undefined, 'day first', 'month first', 'day first', 'day.month', undefined]);
  });

  it('a column of short dates begins with the year where that differs less often than the last number', () => {
    expect(orderProofsIn(['24/03/05', '24/03/17', '23/12/31'])['day first']).toBeUndefined();
    expect(orderProofsIn(['05/03/24', '17/03/24', '31/12/23'])['day first']).toBe('17/03/24');
    expect(orderProofsIn(['24/03/05', '24/03/45', '23/12/31'])['day first']).toBe('24/03/05');
    expect(orderProofsIn(['03/24/05', '03/24/17', '04/12/31'])['month first']).toBe('03/24/05');
  });

  const scrapedAt = Date.UTC(2024, 2, 31, 10, 30);
  it.each([
    ['3 hours ago', '2024-03-31T07:30:00Z'],
    ['an hour ago', '2024-03-31T09:30:00Z'],
    ['15 mins ago', '2024-03-31T10:15:00Z'],
    ['2d ago', '2024-03-29T10:30:00Z'],
    ['1 month ago', '2024-02-29T10:30:00Z'],
    ['2 years ago', '2022-03-31T10:30:00Z'],
    ['yesterday', '2024-03-30T10:30:00Z'],
    ['Yesterday at 9:15', '2024-03-30T09:15:00Z'],
    ['today', '2024-03-31T10:30:00Z'],
    ['just now', '2024-03-31T10:30:00Z'],
    ['Posted 3 days ago', '2024-03-28T10:30:00Z'],
    ['vor 2 Stunden', '2024-03-31T08:30:00Z'],
    ['gestern', '2024-03-30T10:30:00Z'],
    ['il y a 3 jours', '2024-03-28T10:30:00Z'],
    ['hace una hora', '2024-03-31T09:30:00Z'],
    ['3 giorni fa', '2024-03-28T10:30:00Z'],
    ['há 2 dias', '2024-03-29T10:30:00Z'],
    ['3 bottles ago', undefined],
    ['tomorrow', undefined],
    ['constructor', undefined],
  ])('%s counts from the scrape', (text, expected) => {
    const timeMs = readRelativeDate(text, scrapedAt);
    expect(timeMs === undefined ? undefined : canonicalDate(timeMs)).toBe(expected);
    expect(isRelativeDate(text)).toBe(expected !== undefined);
  });

  it('months of each language are read as the platform writes them', () => {
    const languages =
      'en de fr es it pt ru nl pl cs sk hu ro sl bg uk be tr az el sv da nb fi et lv lt id ms th hi bn ta te ka kk he ca gl sq'.split(
        ' ',
      );
    const unread = languages.flatMap((language) =>
      Array.from({ length: 12 }, (_, month) => month).flatMap((month) => {
        const options = {
          day: 'numeric',
          month: 'long',
          year: 'numeric',
          timeZone: 'UTC',
          numberingSystem: 'latn',
        } as const;
        const format = new Intl.DateTimeFormat(language, { ...options, calendar: 'gregory' });
        const timeMs = Date.UTC(2024, month, 25);
        const reading = readDate(format.format(timeMs));
        if (typeof reading === 'object' && reading.timeMs === timeMs) return [];
        return [`${format.format(timeMs)} ${JSON.stringify(reading)}`];
      }),
    );
    // Listopad is of November in Poland and Czechia, of October in Croatia.
    expect(unread.filter((date) => !/listopad/.test(date))).toEqual([]);
  });

  it('takes no year or count for seconds', () => {
    expect([readEpoch(0), readEpoch(2016), readEpoch(-1_470_311_520)]).toEqual([
      'unreadable',
      'unreadable',
      'unreadable',
    ]);
  });

  it('knows its canonical form as Date does', () => {
    const digit = fc.constantFrom(...'00112233456789');
    const text = fc
      .tuple(fc.array(digit, { minLength: 17, maxLength: 17 }), fc.constantFrom('Z', '.', 'x'), fc.boolean())
      .map(([d, last, ms]) => {
        const at = (from: number, n: number) => d.slice(from, from + n).join('');
        return `${at(0, 4)}-${at(4, 2)}-${at(6, 2)}T${at(8, 2)}:${at(10, 2)}:${at(12, 2)}${ms ? `.${at(14, 3)}` : ''}${last}`;
      });
    const canonical = fc.integer({ min: Date.UTC(1000), max: Date.UTC(9999) }).map(canonicalDate);
    const slow = (value: string) => {
      const [, year, month, day, hours, minutes, seconds, fraction] =
        /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?Z$/.exec(value)?.map(Number) ?? [];
      if (year === undefined || month === undefined || day === undefined || fraction === 0) return false;
      const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
      const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
      return day >= 1 && day <= days && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
    };
    fc.assert(
      fc.property(
        fc.oneof(text, canonical, fc.string()),
        (value) => !Number.isNaN(canonicalTime(value)) === slow(value),
      ),
      { numRuns: 1000 },
    );
    for (const value of ['0000-01-01T00:00:00Z', '2016-02-29T23:59:59.001Z', '2016-08-04T24:00:00Z'])
      expect(!Number.isNaN(canonicalTime(value))).toBe(slow(value));
  });
});

describe('cells', () => {
  const field = (kind: Field['kind']): Field => ({ name: 'x', kind, description: '' });
  const read = (kind: Field['kind'], cell: unknown, isCsv = false) => {
    const { how, value } = readCell(field(kind), cell, { isCsv, dateOrder: undefined });
    return [how, value];
  };

  it.each<[Field['kind'], unknown, boolean, string, unknown]>([
    ['integer', '386', false, 'repaired', 386],
    ['integer', '386', true, 'native', 386],
    ['integer', '386.0', true, 'repaired', 386],
    ['integer', '386.5', true, 'unreadable', null],
    ['integer', 3.5, false, 'unreadable', null],
    ['integer', '12345678901234567890', true, 'unreadable', null],
    ['number', '11.05', true, 'native', 11.05],
    ['number', ' 11.05', true, 'repaired', 11.05],
    ['number', '1e+21', true, 'native', 1e21],
    ['number', 'call us', true, 'unreadable', null],
    ['number', 'N/A', true, 'unreadable', null],
    ['number', ' ', true, 'missing', null],
    ['number', { amount: 5 }, false, 'unreadable', null],
    ['number', true, false, 'unreadable', null],
    ['text', 1984, false, 'repaired', '1984'],
    ['text', ['A', 'B'], false, 'repaired', 'A, B'],
    ['text', { name: 'A' }, false, 'repaired', 'A'],
    ['text', [], false, 'missing', null],
    ['text', false, false, 'unreadable', null],
    ['url', [{ src: '/a' }, '/b'], false, 'repaired', '/a'],
    ['date', 1470311520, false, 'repaired', '2016-08-04T11:52:00Z'],
    ['date', 20160804, false, 'repaired', '2016-08-04T00:00:00Z'],
    ['date', '', false, 'missing', null],
    ['texts', 'a, b,', false, 'repaired', ['a', 'b']],
    ['texts', '["a","b"]', true, 'native', ['a', 'b']],
    ['texts', '["a","b"]', false, 'repaired', ['a', 'b']],
    ['texts', "['a', 'b']", true, 'repaired', ['a', 'b']],
    ['texts', [1, null, 'b'], false, 'repaired', ['1', 'b']],
    ['texts', '[]', true, 'missing', null],
    ['texts', '|', true, 'unreadable', null],
    ['texts', `[{'id': 1, 'name': "it's"}, {'id': 2, 'name': 'say "b"'}]`, true, 'repaired', ["it's", 'say "b"']],
    ['text', "[{'id': 1, 'name': 'Ana\\xefs'}, {'id': 2, 'name': \"O'Neil\"}]", true, 'repaired', "Anaïs, O'Neil"],
    ['text', '[deleted]', true, 'native', '[deleted]'],
    ['text', 'N/A', false, 'unreadable', null],
    ['text', '—', false, 'unreadable', null],
    ['url', '-', true, 'unreadable', null],
    ['texts', 'n/a', false, 'unreadable', null],
    ['date', 'null', false, 'unreadable', null],
  ])('%s %j (CSV: %s) is %s', (kind, cell, isCsv, how, value) => {
    expect(read(kind, cell, isCsv)).toEqual([how, value]);
  });

  it('fit or not as the schema says', () => {
    const cell = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        undefined,
        '',
        ' ',
        '\u3000',
        'a',
        0,
        -0,
        1.5,
        2 ** 53,
        Number.NaN,
        [],
        [''],
        ['a', 1],
        true,
        {},
        '2016-08-04T11:52:00Z',
        '2016-02-30T11:52:00Z',
      ),
      fc.anything(),
    );
    for (const model of collections) {
      const schema = v.strictTuple(model.fields.map(fieldSchema));
      const faultyFields = (values: readonly unknown[]) =>
        (v.safeParse(schema, values).issues ?? []).map((issue) => Number(issue.path?.[0]?.key ?? 0));
      const context = { isCsv: false, dateOrder: 'month first' } as const;
      const record = fc.array(cell, { minLength: model.fields.length, maxLength: model.fields.length });
      fc.assert(
        fc.property(record, (cells) => {
          const faulty = new Set(faultyFields(cells));
          const readings = model.fields.map((field, i) => readCell(field, cells[i], context));
          for (const [i, { how, value }] of readings.entries())
            if (!faulty.has(i) && cells[i] !== null && how !== 'missing' && !isNullWord(String(cells[i])))
              expect({ how, value }).toEqual({ how: 'native', value: cells[i] === 0 ? 0 : cells[i] });
          const values = readings.map(({ value }) => value);
          const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');
          expect(faultyFields(values).filter((i) => !isBlank(values[i]))).toEqual([]);
        }),
        { numRuns: 1000 },
      );
    }
  });
});

describe('the guard against formulas', () => {
  const nasty = fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '＝', ' ', '\t', '\r', '\n', 'a', '1', ';', '\u200b', '\0'),
  });
  it('is taken off again, from every text', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string()), (text) => unguardFormula(guardFormula(text)) === text),
      { numRuns: 1500 },
    );
  });
  it.each(['=1+1', ' =1', '-1', '@a', '＝1', '\tx', "'=1", '\n=1', '\u200b=1', '\u2060\0+1', '\ufeff@a'])(
    'guards %j',
    (text) => {
      expect(guardFormula(text)).toBe(`'${text}`);
    },
  );
  it.each([
    ['x;=1+1', "x;'=1+1"],
    ['=a; -b;c', "'=a;' -b;c"],
    [";'=1;", ";''=1;"],
  ])('guards each part of %j', (text, guarded) => expect(guardFormula(text)).toBe(guarded));
  it.each(['a=1', "'tis", '1-2', '', 'a;b=1', 'a\u200b=1'])('leaves %j', (text) =>
    expect(guardFormula(text)).toBe(text),
  );
});

describe('a line for a terminal', () => {
  it.each([
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['a\u2066b\u2069\u200f\u061c', 'a\\u2066b\\u2069\\u200f\\u061c'],
    ['one\u2028two\u2029', 'one\\u2028two\\u2029'],
    ['Zürich – שלום 😀', 'Zürich – שלום 😀'],
  ])('of %j', (text, line) => expect(printable(text)).toBe(line));
});
