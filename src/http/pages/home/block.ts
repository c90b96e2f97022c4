/** The heading of a block on the home page. */
import { type Content, type Html, html } from '../../markup/html.js';

/** The heading of a block, with a text at its right. */
export const blockHead = (title: Content, aside: Content = null): Html =>
  html`<header><h3>${title}</h3>${aside === null ? null : html`<span class="soft">${aside}</span>`}</header>`;
