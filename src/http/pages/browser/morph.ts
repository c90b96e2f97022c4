/** Makes elements, and makes trees of elements equal to others. */

/** A new element with its attributes and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

/** Whether nothing is to be done: comparing is far cheaper than walking. What a reader typed or checked is in no attribute. */
const isSame = (from: Element, to: Element): boolean =>
  from.isEqualNode(to) && !from.matches(FORM_FIELDS) && from.querySelector(FORM_FIELDS) === null;

const FORM_FIELDS = 'input, select';

/**
 * Makes one tree of elements equal to another, in one pass in document order. Nodes are reused where possible, so that they
 * keep focus and scroll position.
 */
export function morph(from: Element, to: Element): void {
  if (isSame(from, to)) return;
  morphAttributes(from, to);
  morphChildren(from, to);
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) morphInput(from, to);
  else if (from instanceof HTMLSelectElement && to instanceof HTMLSelectElement) from.value = to.value;
}

function morphAttributes(from: Element, to: Element): void {
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
}

/** The value of the field in which the reader is typing is newer than the page's, and stays. */
function morphInput(from: HTMLInputElement, to: HTMLInputElement): void {
  if (from.checked !== to.checked) from.checked = to.checked;
  const isTyping = document.activeElement === from && !from.matches('[type="checkbox"], [type="range"]');
  if (!isTyping && from.value !== to.value) from.value = to.value;
}

function morphChildren(from: Element, to: Element): void {
  const targets = [...to.childNodes];
  let at = from.firstChild;
  for (const node of targets) {
    const match = at === null ? null : matchingNode(at, node);
    // Nodes before the match are removed; a node without a match is inserted.
    while (match !== null && at !== null && at !== match) at = removeAndPass(at);
    if (match === null) from.insertBefore(document.importNode(node, true), at);
    else {
      if (match instanceof Element && node instanceof Element) morph(match, node);
      else if (match.nodeValue !== node.nodeValue) match.nodeValue = node.nodeValue;
      at = match.nextSibling;
    }
  }
  while (at !== null) at = removeAndPass(at);
}

/** Removes a node; returns the one behind it. */
function removeAndPass(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** The attribute: `id` of a form is its field of that name, where it has one. */
const elementId = (node: Node): string => (node instanceof Element ? (node.getAttribute('id') ?? '') : '');

/** The node that becomes `target`: a later sibling with its id, or `start` if both have the same name and no id. */
function matchingNode(start: ChildNode, target: Node): ChildNode | null {
  const id = elementId(target);
  if (id === '') return start.nodeName === target.nodeName && elementId(start) === '' ? start : null;
  for (let node: ChildNode | null = start; node !== null; node = node.nextSibling)
    if (elementId(node) === id) return node;
  return null;
}
