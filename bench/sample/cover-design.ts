/** The vocabulary of cover designs: a design draws its motif and says where the text goes. */
import type { RandomChoices } from '../../test/support/random.js';

export const COVER = { width: 240, height: 360 } as const;

/** Where the text begins above a motif, and where it begins below one. */
export const TEXT_TOP = 26;
export const TEXT_LOW = 210;

/** `light` is the tone of suns and moons; the other two build the motif. `ink` is readable on `ground`. */
export type Palette = readonly [ground: string, ink: string, light: string, near: string, far: string];

export interface Design {
  /** Top edge of the text, which may take 136 units of height free of the motif. */
  readonly textTop: number;
  readonly align: 'start' | 'middle';
  draw(random: RandomChoices, palette: Palette): string;
}

export const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx='${x}' cy='${y}' r='${radius}' fill='${fill}'/>`;

export const path = (d: string, fill: string): string => `<path d='${d}' fill='${fill}'/>`;

/** A path without an area; `more` holds further stroke attributes. */
export const line = (d: string, stroke: string, width: number, more = ''): string =>
  `<path d='${d}' fill='none' stroke='${stroke}' stroke-width='${width}'${more}/>`;
