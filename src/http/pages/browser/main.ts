/**
 * The pages' script. Every page works without it; with it, results follow what is typed and chosen, ranges are picked
 * on histograms, values completed, hits walked by keyboard and texts copied. It talks to the pages' own addresses only.
 */
import { connectCompletion, prepareBoxes } from './completion.js';
import { connectCopying, showOrigin } from './copy.js';
import { connectImages, markImages } from './images.js';
import { connectKeyboard } from './keyboard.js';
import { connectNews } from './news.js';
import { connectSheets, showAsDialog } from './sheet.js';
import { connectView } from './view.js';

function refresh(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.copy[hidden], .close[hidden]')) element.hidden = false;
  prepareBoxes();
  showOrigin();
  markImages();
  showAsDialog();
}

document.documentElement.classList.add('js');
const { submit, turn } = connectView(refresh);
connectCompletion(submit);
connectKeyboard(turn);
connectCopying();
connectImages();
connectSheets();
connectNews();
refresh();
