/** The pages of a dump with many columns: which are filters, which are columns of the table, and how a record shows them. */
import { describe, expect, test } from 'vitest';
import { type App, appOf, datasetIn } from '../support/api.js';
import { withFolder } from '../support/program.js';

const brands = ['Acme', 'Zed', 'Foo', 'Bar'];
const products = Array.from({ length: 40 }, (_, i) => ({
  name: `Product ${i}`,
  price: 10 + i / 4,
  'Brand Name': brands[i % 4],
  sku: `SKU-${1000 + i}`,
  stock: (i * 7) % 11,
  condition: 'New',
  manual: `https://m.example/${i % 3}.pdf`,
  warranty: i % 8 === 0 ? 'Two years' : null,
  colours: i % 2 === 0 ? ['red', 'blue'] : ['green'],
  updated: `2026-0${1 + (i % 3)}-05`,
  released: 2001 + (i % 9),
  about: `${'A long text about it. '.repeat(20)}${i}`,
  offers: [{ seller: { name: 'Shop' }, condition: 'used', price: i }],
}));

const serving = <T>(
  run: (app: App) => Promise<T>,
  records: readonly object[] = products,
  as = 'products',
): Promise<T> =>
  withFolder({ 'dump.json': JSON.stringify(records) }, async (dir) =>
    run(appOf(await datasetIn(dir, { paths: [`${dir}/dump.json`], as }))),
  );
const textOf = async (app: App, path: string): Promise<string> => (await app.request(path)).text();
const groupsIn = (markup: string): readonly (string | undefined)[] =>
  [...markup.matchAll(/<fieldset class="\w+" id="by-(\w+)"/g)].map(([, name]) => name);
const moreFields = (page: string): string => /<div class="more-fields.*?<button class="apply/s.exec(page)?.[0] ?? '';

test('percentages of the dump are percentages on its pages', async () => {
  const records = products.map((record, i) => ({ ...record, 'Discount %': `${i % 5}0%`, weight: i }));
  await serving(async (app) => {
    expect(await textOf(app, '/products/2')).toContain('<bdi>Discount %</bdi></a></dt><dd>10%</dd>');
    expect(await textOf(app, '/products?fields=id,title,discount')).toContain('data-label="Discount %">10%</td>');
    expect(await textOf(app, '/products/2')).toContain('<bdi>Weight</bdi></a></dt><dd>1</dd>');
  }, records);
});

test.each([
  ['the one of a column beside it', ['EUR', 'EUR'], ['€10.50', '€11.50'], '€10.50'],
  ['each its own, where that column has several', ['EUR', 'USD'], ['€10.50', '$11.50'], '10.50'],
  ['none where a record has none', ['EUR', null], ['€10.50', '11.50'], '10.50'],
  ['none of words that are no currency', ['euros', 'euros'], ['10.50', '11.50'], '10.50'],
])('a price has a currency: %s', async (_, [first, second], cells, lowest) => {
  const records = products.map(({ name }, i) => ({ name, price: 10.5 + i, currency: i % 2 ? second : first }));
  await serving(async (app) => {
    const page = await textOf(app, '/products');
    const texts = [...page.matchAll(/data-label="Price"[^>]*>(?:<bdi>)?([^<]*)/g)].map(([, text]) => text);
    expect(texts.slice(0, 2)).toEqual(cells);
    expect(/<span class="split ends"><span>([^<]*)/.exec(page)?.[1]).toBe(lowest);
    expect(await textOf(app, '/products/2')).toContain(`${cells[1]}<`);
  }, records);
});

test('an amount has its own currency; what is counted of several has none', async () => {
  const money = (sign: string) => (i: number) => `${sign}${10 + i}.50`;
  const [euro, dollar] = [money('€'), money('$')];
  const records = products.map(({ name }, i) => ({
    name,
    price: i % 2 ? dollar(i) : euro(i),
    'Old Price': euro(i),
    deposit: i % 5 ? euro(i) : dollar(i),
  }));
  await serving(async (app) => {
    const page = await textOf(app, '/products?fields=*');
    const cells = (label: string) =>
      [...page.matchAll(new RegExp(`data-label="${label}"[^>]*><bdi>([^<]*)`, 'g'))].map(([, text]) => text);
    expect(cells('Price').slice(0, 2)).toEqual(['€10.50', '$11.50']);
    expect(cells('Old Price').slice(0, 2)).toEqual(['€10.50', '€11.50']);
    expect(cells('Deposit').slice(0, 2)).toEqual(['$10.50', '€11.50']);
    // Several amounts of money in a card would be mistaken for one another without their names.
    expect(page).not.toMatch(/ unnamed" data-label="(?:Price|Old Price|Deposit)"/);
    expect(await textOf(app, '/products?fields=id,title,price')).toContain(' unnamed" data-label="Price"');
    expect(await textOf(app, '/products')).toContain('<bdi>$11.50</bdi>');
    expect(await textOf(app, '/products/2')).toContain('<bdi>$11.50</bdi>');
    const compared = await textOf(app, '/products/compare?id=1&id=2');
    expect(compared).toContain('<bdi>€10.50</bdi>');
    expect(compared).toContain('<bdi>$11.50</bdi></td>');
    expect(await textOf(app, '/products/fields/price')).toMatch(/<bdi>[€$]\d\d\.50<\/bdi>/);
    const median = /<dt>Median<\/dt><dd>(.*?)<\/dd>/;
    expect(median.exec(await textOf(app, '/products/fields/price'))?.[1]).toBe('30.00');
    expect(median.exec(await textOf(app, '/products/fields/oldPrice'))?.[1]).toBe('<bdi>€30.00</bdi>');
  }, records);
});

test('numbers near 0 have bins as others have, and are not said to be always the same', async () => {
  const records = products.map((record, i) => ({ ...record, share: (i + 1) / 100_000 }));
  await serving(async (app) => {
    const page = await textOf(app, '/products?unfold=fields');
    expect(page).not.toContain('Always 0.0000');
    expect(/id="by-share">.*?<\/fieldset>/s.exec(page)?.[0]).toMatch(/placeholder="0\.00001".*placeholder="0\.0004"/s);
  }, records);
});

test('years have no comma, nor has their mean; numbers at an axis are told apart', async () => {
  const records = products.map((record, i) => ({ ...record, built: 1950 + i, views: 10_115 + 7 * (i % 10) }));
  await serving(
    async (app) => {
      expect(await textOf(app, '/flats/fields/built')).not.toContain('1,9');
      const page = await textOf(app, '/flats?fields=*');
      expect(page).toMatch(/data-label="Built"[^>]*>1950<.*data-label="Views"[^>]*>10,115</s);
      const ticks = [...(await textOf(app, '/flats/fields/views')).matchAll(/text-anchor="middle">([^<]*)</g)];
      expect(ticks.map(([, text]) => text)).toContain('10,140');
      expect(new Set(ticks.map(([, text]) => text)).size).toBe(ticks.length);
    },
    records,
    'flats',
  );
});

describe('filters of found fields', () => {
  test('of two that determine each other only one stands at first; others of as many values stay', async () => {
    const districts = ['Mitte', 'Pankow', 'Wedding', 'Spandau', 'Treptow'];
    const records = products.map(({ name, price }, i) => ({
      name,
      price,
      postcode: `0${1000 + (i % 5)}`,
      district: districts[i % 5],
      district_id: 70 + (i % 5),
      // As many values, in other records.
      heating: ['gas', 'oil', 'wood', 'heat', 'none'][(i + Math.floor(i / 20)) % 5],
      // A record lacks what it has elsewhere.
      region: i === 39 ? null : `${districts[i % 5]} region`,
    }));
    await serving(
      async (app) => {
        const page = await textOf(app, '/flats');
        expect(groupsIn(page)).toEqual(['district', 'price', 'heating', 'region']);
        const unfolded = await textOf(app, '/flats?unfold=fields');
        expect(groupsIn(moreFields(unfolded))).toEqual(['postcode', 'district_id']);
      },
      records,
      'flats',
    );
  });

  test('stand under “More fields”: those whose values repeat, the most useful first', async () => {
    await serving(async (app) => {
      expect(groupsIn(await textOf(app, '/products'))).toEqual(['price']);
      const page = await textOf(app, '/products?unfold=fields');
      const more = moreFields(page);
      expect(more).toContain(
        'aria-expanded="true"><span aria-hidden="true">&#9662; </span>More fields <span class="count">6',
      );
      expect(groupsIn(more)).toEqual(['updated', 'stock', 'released', 'colours', 'brandName', 'warranty']);
      expect(groupsIn(page.replace(more, ''))).toEqual(['price']);
    });
  });

  test.each([
    ['brandName=acme', 'name="brandName" value="Acme" checked'],
    ['stock_gte=3', 'name="stock_gte" value="3"'],
    ['sku=SKU-1003', 'name="sku" value="SKU-1003" checked'],
    ['manual=https://m.example/1.pdf', 'name="manual" value="https://m.example/1.pdf" checked'],
  ])('are open where one of them is used: %s', async (query, field) => {
    await serving(async (app) => {
      const more = moreFields(await textOf(app, `/products?${query}`));
      expect(more).not.toContain('&#9656; </span>More fields');
      expect(more).toContain(field);
    });
  });

  test('of one value that all records have are left out until one is used, also of documented fields', async () => {
    const records = products.map((record) => ({ ...record, category: 'Tools', rating: 4 }));
    await serving(async (app) => {
      expect(groupsIn(await textOf(app, '/products'))).toEqual(['price']);
      expect(groupsIn(await textOf(app, '/products?category=Tools&minRating=4')).slice(-2)).toEqual([
        'rating',
        'category',
      ]);
    }, records);
  });

  test('are named as the dump spells them, in conditions as in headings', async () => {
    await serving(async (app) => {
      const page = await textOf(app, '/products?brandName=Acme&missing=warranty&stock_gte=3');
      const chips = [...page.matchAll(/<li><a class="pill"[^>]*>(.*?)<span class="cross"/g)].map(([, chip = '']) =>
        chip.replace(/<[^>]*>/g, '').trim(),
      );
      expect(chips).toEqual(['Brand Name Acme', 'Stock at least 3', 'Without warranty']);
    });
  });

  test('an exact number is a condition that the form keeps', async () => {
    await serving(async (app) => {
      const page = await textOf(app, '/products?stock=7');
      expect(page).toContain('<input type="hidden" name="stock" value="7">');
      expect(page).toContain('<a class="pill" href="/products">Stock <strong><bdi>7</bdi>');
    });
  });
});

describe('columns of the table', () => {
  const columnsIn = (page: string): readonly (string | undefined)[] =>
    [...(/<thead.*?<\/thead>/s.exec(page)?.[0] ?? '').matchAll(/<th [^>]*>(?:<(?:a|span)[^>]*>)?([^<]*)/g)].map(
      ([, label]) => label,
    );

  test('are the documented ones, or those of fields', async () => {
    await serving(async (app) => {
      expect(columnsIn(await textOf(app, '/products'))).toEqual(['Title', 'Price']);
      const page = await textOf(app, '/products?fields=id,title,brandName,stock,colours,offers');
      expect(columnsIn(page)).toEqual(['Title', 'Brand Name', 'Stock', 'Colours', 'Offers']);
      const cells = [...page.matchAll(/<td [^>]*data-label="([^"]*)">(.*?)<\/td>/gs)].slice(0, 4);
      expect(cells.map(([, label, cell = '']) => [label, cell.replace(/<[^>]*>/g, '')])).toEqual([
        ['Brand Name', 'Acme'],
        ['Stock', '0'],
        ['Colours', 'red, blue'],
        [
          'Offers',
          '[{&quot;seller&quot;:{&quot;name&quot;:&quot;Shop&quot;},&quot;condition&quot;:&quot;used&quot;,&quot;price&quot;:0}]',
        ],
      ]);
    });
  });

  test('are chosen by a form of its own, which keeps the view', async () => {
    await serving(async (app) => {
      const page = await textOf(app, '/products?brandName=Acme&sort=stock&fields=id,title,stock&page=2');
      const form = /<form class="box" id="columns".*?<\/form>/s.exec(page)?.[0] ?? '';
      expect([...form.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, ...pair]) => pair)).toEqual([
        ['brandName', 'Acme'],
        ['sort', 'stock'],
        ['fields', 'id'],
        ['fields', 'title'],
      ]);
      const boxes = [...form.matchAll(/name="fields" value="(\w+)"( checked)?><label/g)];
      expect(boxes.filter(([, , checked]) => checked).map(([, name]) => name)).toEqual(['stock']);
      expect(boxes.map(([, name]) => name)).toContain('offers');
      expect(form).toContain('<a class="button" href="/products?brandName=Acme&amp;sort=stock">Usual columns</a>');
    });
  });

  test.each([
    [
      'fields=id&fields=title&fields=price&fields=stock&q=product',
      '/products?q=product&fields=id%2Ctitle%2Cprice%2Cstock',
    ],
    ['fields=id&fields=title&fields=price&sort=price', '/products?sort=price&fields=id%2Ctitle%2Cprice'],
  ])('the form’s address becomes the API’s: %s', async (query, address) => {
    await serving(async (app) => {
      const response = await app.request(`/products?${query}`);
      expect([response.status, response.headers.get('Location')]).toEqual([303, address]);
    });
  });

  test('of a record longer than a page reads are there as well', async () => {
    const long = [{ title: 'Long', score: 1, brand: 'Acme', content: 'x'.repeat(3_000_000) }];
    await serving(
      async (app) => {
        expect(await textOf(app, '/articles?fields=id,title,brand')).toContain('data-label="Brand"><bdi>Acme</bdi>');
      },
      long,
      'articles',
    );
  });

  test('of a collection of its own are the most useful of its fields, no more than a screen has room for', async () => {
    await serving(
      async (app) => {
        const page = await textOf(app, '/gadgets');
        expect(columnsIn(page)).toEqual(['Title', 'Price', 'Brand Name', 'Stock', 'Colours', 'Updated', 'Released']);
        expect(groupsIn(page)).toEqual(['brandName', 'price', 'stock', 'updated', 'released', 'warranty', 'colours']);
        expect(moreFields(page)).toBe('');
        // The title is always shown: nothing asks for it.
        const [form = ''] = /<form class="box" id="columns".*?<\/form>/s.exec(page) ?? [];
        expect(form).toContain('<input type="hidden" name="fields" value="title">');
        expect(form).not.toContain('id="column-title"');
      },
      products,
      'gadgets',
    );
  });

  test('found fields are sorted by under a heading of the menu', async () => {
    await serving(async (app) => {
      const page = await textOf(app, '/products?q=product');
      const [menu = ''] = /<select[^>]*id="sort">.*?<\/select>/s.exec(page) ?? [];
      const [usual = '', further = ''] = menu.split('<optgroup label="More fields">');
      const valuesOf = (markup: string) => [...markup.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
      expect(valuesOf(usual)).toEqual(['', 'title', 'price']);
      expect(valuesOf(further).slice(0, 2)).toEqual(['brandName', 'sku']);
    });
  });
});

describe('a record’s other fields', () => {
  test('are shown as their kind is read', async () => {
    await serving(async (app) => {
      const page = await textOf(app, '/products/1');
      const facts = [
        ...page.matchAll(/<div><dt><a href="[^"]*"><bdi>([^<]*)<\/bdi><\/a><\/dt><dd>(.*?)<\/dd><\/div>/gs),
      ];
      const byLabel = new Map(facts.map(([, label = '', value = '']) => [label, value]));
      expect([...byLabel.keys()]).toEqual([
        ...['Brand Name', 'SKU', 'Stock', 'Condition', 'Manual', 'Warranty', 'Colours', 'Updated', 'Released'],
        ...['Offers', 'About'],
      ]);
      expect(byLabel.get('Brand Name')).toBe('<a href="/products?brandName=Acme"><bdi>Acme</bdi></a>');
      expect(byLabel.get('SKU')).toBe('<bdi>SKU-1000</bdi>');
      expect(byLabel.get('Manual')).toContain('<a class="out" href="https://m.example/0.pdf"');
      expect(byLabel.get('Colours')).toMatch(
        /^<ul class="tags row" role="list"><li><a href="\/products\?colours=red">/,
      );
      expect(byLabel.get('Updated')).toBe('<time>2026-01-05</time>');
      expect(byLabel.get('Released')).toBe('2001');
      expect(byLabel.get('About')).toMatch(/^<p dir="auto">A long text/);
      expect(
        byLabel
          .get('Offers')
          ?.replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' '),
      ).toBe(' seller name Shop condition used price 0 ');
    });
  });

  test('nested without end lead to the JSON', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'end' : [{ a: nested(depth - 1) }]);
    const wide = Array.from({ length: 500 }, (_, i) => ({ b: i }));
    await serving(
      async (app) => {
        const page = await textOf(app, '/products/1');
        expect(page).toContain('<a href="/api/products/1">JSON</a>');
        expect(page).toContain('<a href="/api/products/1">470 more, in the JSON</a>');
      },
      [{ name: 'A', price: 1, deep: nested(9), wide }],
    );
  });
});
