/**
 * The script of the HTML pages, which work without it too. It updates results while the reader types and chooses, completes
 * values, moves between hits by keyboard, and copies texts. It requests this server's pages only.
 */
import { connectDensity, restoreDensity } from './choices.js';
import { connectColumns, restoreColumns } from './columns.js';
import { connectCompletion, prepareBoxes } from './completion.js';
import { connectCopying, showOrigin } from './copy.js';
import { connectKeyboard, connectSheet, holdFocus } from './keyboard.js';
import { connectNews } from './news.js';
import { connectPalette } from './palette.js';
import { connectView } from './view.js';

function refresh(): void {
  prepareBoxes();
  showOrigin();
  restoreDensity();
  restoreColumns();
  holdFocus();
}

document.documentElement.classList.add('js');
// The row of collections may be wider than the screen.
document.querySelector('.top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
const { submit, turn } = connectView(refresh);
connectCompletion(submit);
connectColumns();
connectKeyboard(turn);
connectPalette();
connectCopying();
connectDensity();
connectSheet();
connectNews();
refresh();
