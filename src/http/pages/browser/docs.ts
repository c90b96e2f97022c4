/** The script of `/docs` and of the pages of operations: it sends a form with `fetch`, shows the response, and writes requests in other languages. */
import { recallChoice, rememberChoice } from './choices.js';
import { connectCopying, showOrigin } from './copy.js';
import { element } from './morph.js';
import { connectPalette } from './palette.js';

/** Bound on the shown characters of a body; the rest of a long download is not fetched. */
const MAX_BODY_CHARACTERS = 20_000;

type FormField = HTMLInputElement | HTMLSelectElement;

/** A field's value as it stands in the query string; empty for the default. */
function queryValue(field: FormField): string {
  if (!(field instanceof HTMLInputElement) || field.type !== 'checkbox') return field.value;
  return field.checked === field.defaultChecked ? '' : String(Number(field.checked));
}

function requestUrl(form: HTMLFormElement): string {
  let path = form.dataset.path ?? '';
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll<FormField>('[name]')) {
    const value = queryValue(field);
    if (value === '') continue;
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, () => encodeURIComponent(value));
    else query.append(field.name, value);
  }
  const text = query.toString();
  return path + (text === '' ? '' : `?${text}`);
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a program in the chosen language. */
function programOf(url: string): string {
  const language = document.querySelector<HTMLInputElement>('.languages :checked')?.value;
  const isText = new URL(url).searchParams.has('format') || url.endsWith('.d.ts');
  if (language === 'fetch')
    return `const response = await fetch(${JSON.stringify(url)});
console.log(await response.${isText ? 'text' : 'json'}());`;
  if (language === 'python')
    return `import json
from urllib.request import urlopen

with urlopen(${JSON.stringify(url)}) as response:
    print(${isText ? 'response.read().decode()' : 'json.load(response)'})`;
  return `curl ${quotedForShell(url)}`;
}

/** Shows each request in the chosen language: that of the form, where the page has one, else those that the server wrote. */
function showRequests(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-path]');
  for (const code of document.querySelectorAll<HTMLElement>('.command code')) {
    code.dataset.url ??= /'(.*)'/.exec(code.textContent ?? '')?.[1] ?? '';
    code.textContent = programOf(form ? location.origin + requestUrl(form) : code.dataset.url);
  }
}

/** The language that was chosen last, on this or another page of the documentation. */
const LANGUAGE_KEY = 'docs-language';

function connectLanguages(): void {
  const radios = [...document.querySelectorAll<HTMLInputElement>('.languages input')];
  const language = recallChoice(LANGUAGE_KEY);
  for (const radio of radios) {
    if (radio.value === language) radio.checked = true;
    radio.addEventListener('change', () => rememberChoice(LANGUAGE_KEY, radio.value));
  }
}

async function firstLines(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length <= MAX_BODY_CHARACTERS) continue;
    await reader.cancel();
    return cut(text);
  }
  return cut(laidOut(text + decoder.decode()));
}

const cut = (text: string): string =>
  text.length <= MAX_BODY_CHARACTERS ? text : `${text.slice(0, MAX_BODY_CHARACTERS)}\n…`;

/** JSON indented over several lines; any other text unchanged. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A text of JSON, and the colon behind it where it is a name. */
const JSON_TEXT = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)/g;

/** Colours the names and texts of JSON. */
function colour(code: Element): void {
  const text = code.textContent ?? '';
  const parts: (string | Element)[] = [];
  let end = 0;
  for (const { 0: token, 1: colon, index } of text.matchAll(JSON_TEXT)) {
    parts.push(
      text.slice(end, index),
      element('span', { class: colon === undefined ? 'json-text' : 'json-name' }, token),
    );
    end = index + token.length;
  }
  code.replaceChildren(...parts, text.slice(end));
}

const preformatted = (text: string): HTMLElement => element('pre', { tabindex: '0' }, element('code', {}, text));

async function send(form: HTMLFormElement, result: Element): Promise<void> {
  const url = requestUrl(form);
  const startedAt = performance.now();
  const line = element('p', { role: 'status' });
  result.replaceChildren(line);
  try {
    const response = await fetch(url);
    const body = preformatted(await firstLines(response));
    const ms = `${(performance.now() - startedAt).toFixed(0)} ms`;
    const status = element(
      'strong',
      { class: response.ok ? 'good' : 'bad' },
      `${response.status} ${response.statusText}`,
    );
    line.replaceChildren(status, ' ', element('span', { class: 'soft' }, ms), ' ', element('a', { href: url }, 'Open'));
    if (response.headers.get('Content-Type') === 'application/json') body.querySelectorAll('code').forEach(colour);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    result.append(
      body,
      element('details', {}, element('summary', { class: 'soft' }, 'Headers'), preformatted(headers)),
    );
  } catch (error) {
    line.replaceChildren(element('strong', { class: 'bad' }, String(error)));
  }
  result.scrollIntoView({ block: 'nearest' });
}

document.documentElement.classList.add('js');
// The palette of the search has a form of its own, beside this part of the page.
const mainPart = document.querySelector('main');
mainPart?.addEventListener('submit', (event) => {
  const result = document.querySelector('[data-result]');
  if (!(event.target instanceof HTMLFormElement) || result === null) return;
  event.preventDefault();
  void send(event.target, result);
});
mainPart?.addEventListener('input', showRequests);
mainPart?.addEventListener('reset', () => window.setTimeout(showRequests));
for (const code of document.querySelectorAll('[data-json]')) colour(code);
connectLanguages();
showOrigin();
showRequests();
connectCopying();
connectPalette();
