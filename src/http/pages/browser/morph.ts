/**
 * Makes one tree of elements like another with as few changes as a pass in document order finds: what stays the same
 * keeps its focus, its scroll position and whether it is open.
 */

/**
 * Set by the reader or by the script, not by the page. What the script shows is not even hidden for a moment: it would
 * lose the focus.
 */
const KEPT = new Set(['open', 'hidden']);

export function morph(from: Element, to: Element): void {
  morphAttributes(from, to);
  morphChildren(from, to);
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) morphInput(from, to);
  else if (from instanceof HTMLSelectElement && to instanceof HTMLSelectElement) from.value = to.value;
}

function morphAttributes(from: Element, to: Element): void {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !KEPT.has(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value && !KEPT.has(name)) from.setAttribute(name, value);
  }
}

/** A field in which someone is typing is ahead of the page. */
function morphInput(from: HTMLInputElement, to: HTMLInputElement): void {
  if (from.checked !== to.checked) from.checked = to.checked;
  const isTyping = document.activeElement === from && !from.matches('[type="checkbox"], [type="range"]');
  if (!isTyping && from.value !== to.value) from.value = to.value;
}

function morphChildren(from: Element, to: Element): void {
  const wanted = [...to.childNodes];
  let at = from.firstChild;
  for (const node of wanted) {
    const match = at === null ? null : matching(at, node);
    // What stands before the match is gone; a node without a match is new.
    while (match !== null && at !== null && at !== match) at = drop(at);
    if (match === null) from.insertBefore(document.importNode(node, true), at);
    else {
      if (match instanceof Element && node instanceof Element) morph(match, node);
      else if (match.nodeValue !== node.nodeValue) match.nodeValue = node.nodeValue;
      at = match.nextSibling;
    }
  }
  while (at !== null) at = drop(at);
}

function drop(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  node.remove();
  return next;
}

const idOf = (node: Node): string => (node instanceof Element ? node.id : '');

/** The node to turn into `wanted`: one of its id among what follows, else the next if both are alike and have no id. */
function matching(start: ChildNode, wanted: Node): ChildNode | null {
  const id = idOf(wanted);
  if (id === '') return start.nodeName === wanted.nodeName && idOf(start) === '' ? start : null;
  for (let node: ChildNode | null = start; node !== null; node = node.nextSibling) if (idOf(node) === id) return node;
  return null;
}
