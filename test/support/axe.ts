/** The rules of axe-core that a page breaks. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** `all` has the one of WCAG 2.2 that is off by itself, too; `colours` is all in which a dark page differs from a light one. */
const RULES = {
  all: { rules: { 'target-size': { enabled: true } } },
  wcag: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const;

/** To be called once for each page that is opened. */
export const addAxe = (page: Page): Promise<unknown> => page.evaluate(axe.source);

/** Each broken rule with the element that breaks it, as `color-contrast #q Fix any of …`. */
export const brokenRules = (page: Page, rules: keyof typeof RULES): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify({ ...RULES[rules], resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ' ' + failureSummary)))`);

/** The same of the page as it is for readers who prefer dark pages. */
export async function brokenWhenDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const broken = await brokenRules(page, 'colours');
  await page.emulateMedia({ colorScheme: 'light' });
  return broken;
}
