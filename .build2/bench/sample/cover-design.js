export const COVER = { width: 240, height: 360 };
/** Where the text begins above a motif, and where it begins below one. */
export const TEXT_TOP = 26;
export const TEXT_LOW = 210;
export const circle = (x, y, radius, fill) => `<circle cx='${x}' cy='${y}' r='${radius}' fill='${fill}'/>`;
export const path = (d, fill) => `<path d='${d}' fill='${fill}'/>`;
/** A path without an area; `more` holds further stroke attributes. */
export const line = (d, stroke, width, more = '') => `<path d='${d}' fill='none' stroke='${stroke}' stroke-width='${width}'${more}/>`;
