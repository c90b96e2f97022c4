/** The rules of axe-core that a page breaks. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** All in which a dark page differs from a light one. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Rules but contrasts: `all` has the one of WCAG 2.2 that is off by itself, too. */
const RULES = {
  all: { rules: { 'target-size': { enabled: true }, 'color-contrast': { enabled: false } } },
  wcag: { runOnly: WCAG, rules: { 'color-contrast': { enabled: false } } },
} as const;

/**
 * Contrasts take two thirds of axe-core's time. A contrast is decided by the styles of a text and of all around it, and by its
 * kind: whether it is of a control that is disabled, seen at all, and long enough to be judged. Of the texts in which all of
 * this is equal the first stands for the others.
 */
const TEXTS_OF_EACH_STYLE = `() => {
  const OWN = ['color', 'fontSize', 'fontWeight', 'textShadow', 'textDecorationLine'];
  const AROUND = ['backgroundColor', 'backgroundImage', 'opacity', 'position', 'filter', 'mixBlendMode', 'overflow', 'clipPath'];
  const textIn = ({ childNodes }) =>
    [...childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : '')).join('').trim();
  const numbers = new Map();
  const numberOf = (key) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  };
  const found = new Map();
  const walk = (element, around, isDisabled) => {
    const style = getComputedStyle(element);
    const stylesOf = (names) => names.map((name) => style[name]).join();
    const here = numberOf([around, element.localName, element.getAttribute('class'), stylesOf(AROUND)].join('/'));
    const isOff = isDisabled || element.matches(':disabled, [aria-disabled=true]') || element.control?.disabled === true;
    const text = element.matches('input, select, textarea') ? element.value || element.placeholder : textIn(element);
    if (text !== '' && element.checkVisibility({ visibilityProperty: true })) {
      const { width, height } = element.getBoundingClientRect();
      const isRead = /[\\p{L}\\p{N}]{2}/u.test(text);
      const key = [here, stylesOf(OWN), isOff, isRead, width > 1 && height > 1, textIn(element.parentElement) === ''].join();
      if (!found.has(key)) found.set(key, element);
    }
    for (const child of element.children) walk(child, here, isOff);
  };
  walk(document.body, 0, false);
  return [...found.values()];
}`;

/** To be called once for each page that is opened. */
export const addAxe = (page: Page): Promise<unknown> => page.evaluate(axe.source);

const run = (page: Page, context: string, options: object): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`axe.run(${context}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ' ' + failureSummary)))`);

const brokenColours = (page: Page): Promise<string[]> =>
  run(page, `{ include: (${TEXTS_OF_EACH_STYLE})() }`, { runOnly: { type: 'rule', values: COLOURS } });

/** Each broken rule with the element that breaks it, as `color-contrast #q Fix any of …`. */
export const brokenRules = async (page: Page, rules: keyof typeof RULES): Promise<string[]> => [
  ...(await run(page, 'document', RULES[rules])),
  ...(await brokenColours(page)),
];

/** Each broken rule of the page as it is for readers who prefer dark pages. */
export async function brokenWhenDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const broken = await brokenColours(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return broken;
}
