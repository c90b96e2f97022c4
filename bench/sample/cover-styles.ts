/** The common style of the covers of a category: palettes, typeface, and the designs to choose from. */

import type { Design, Palette } from './cover-design.js';
import { landscapes } from './cover-landscapes.js';
import { patterns } from './cover-patterns.js';

export interface CoverStyle {
  readonly font: 'serif' | 'sans-serif' | 'monospace';
  readonly palettes: readonly [Palette, ...Palette[]];
  readonly designs: readonly [Design, ...Design[]];
}

const { city, hills, leaves, peaks, stars, waves } = landscapes;
const { arch, arcs, dots, fan, rings, slant, tiles } = patterns;

const STYLES: ReadonlyMap<string, CoverStyle> = new Map<string, CoverStyle>([
  [
    'Art',
    {
      font: 'sans-serif',
      palettes: [
        ['#f7f3e9', '#1d1d1f', '#d7263d', '#f4c20d', '#1b5fad'],
        ['#ecdcd0', '#2a1f2d', '#ef6f6c', '#465775', '#f0b67f'],
      ],
      designs: [tiles, rings, fan, arcs, slant],
    },
  ],
  [
    'Bandes dessinées',
    {
      font: 'sans-serif',
      palettes: [
        ['#ffe45e', '#1d1a2f', '#ff5a4d', '#2f80ed', '#fffdf2'],
        ['#c9f0ff', '#1a2a4a', '#ff6b6b', '#ffd93d', '#4d96ff'],
      ],
      designs: [city, dots, fan, waves, stars],
    },
  ],
  [
    'Business',
    {
      font: 'sans-serif',
      palettes: [
        ['#f5f5f0', '#16302b', '#2f7f6f', '#e0a33e', '#8db5a5'],
        ['#1a2b3c', '#f4f1e8', '#d98e3a', '#4a7a9c', '#86b0c4'],
      ],
      designs: [slant, arcs, city, rings, dots],
    },
  ],
  [
    'Children',
    {
      font: 'sans-serif',
      palettes: [
        ['#fff1f5', '#4a2c6d', '#ff8fab', '#ffc857', '#58c4b6'],
        ['#e5f6df', '#23513f', '#f9844a', '#f9c74f', '#4fb0c6'],
      ],
      designs: [hills, arcs, dots, stars, waves, leaves],
    },
  ],
  [
    'Fiction',
    {
      font: 'serif',
      palettes: [
        ['#f6ede0', '#2d2a32', '#f2cc8f', '#e07a5f', '#3d5a80'],
        ['#22333b', '#f5ebe0', '#e29578', '#9a8c98', '#5e6472'],
      ],
      designs: [hills, waves, arch, leaves, rings, city],
    },
  ],
  [
    'Food & Drink',
    {
      font: 'serif',
      palettes: [
        ['#fff6e5', '#4a2118', '#f3a712', '#e4572e', '#76913f'],
        ['#5c1a24', '#fdeedd', '#f4a261', '#e76f51', '#a8b86b'],
      ],
      designs: [leaves, tiles, dots, arcs, rings],
    },
  ],
  [
    'History',
    {
      font: 'serif',
      palettes: [
        ['#efe2c6', '#3a2618', '#c9923e', '#a4452c', '#5b6b4a'],
        ['#3b2a20', '#f3e3c3', '#d9a441', '#b5533c', '#7a8a5f'],
      ],
      designs: [arch, tiles, fan, hills, city],
    },
  ],
  [
    'Music',
    {
      font: 'sans-serif',
      palettes: [
        ['#2a1238', '#ffe9d6', '#ffae57', '#e4508f', '#7b3fa0'],
        ['#fbe9dc', '#32203f', '#f9b04e', '#e8505b', '#14848a'],
      ],
      designs: [arcs, rings, waves, dots, fan],
    },
  ],
  [
    'Mystery',
    {
      font: 'serif',
      palettes: [
        ['#14161f', '#f1e8d6', '#d8a13a', '#8d1f2d', '#3a3f58'],
        ['#0f2a2e', '#e9e3cf', '#e3b23c', '#c44536', '#1f5057'],
      ],
      designs: [city, stars, arch, peaks, slant],
    },
  ],
  [
    'Poetry',
    {
      font: 'serif',
      palettes: [
        ['#fbf3f1', '#3b2c3f', '#e8a0a8', '#c3aed6', '#8fb8a8'],
        ['#e9efe6', '#28403a', '#f0b7a4', '#a3c4a8', '#5f8a8b'],
      ],
      designs: [leaves, rings, waves, hills, stars],
    },
  ],
  [
    'Programming',
    {
      font: 'monospace',
      palettes: [
        ['#10151e', '#d8f3dc', '#f4b860', '#2fbf71', '#2a6f97'],
        ['#f4f4f8', '#22223b', '#ff7f6b', '#6c63ff', '#2ec4b6'],
      ],
      designs: [dots, tiles, slant, city, arcs],
    },
  ],
  [
    'Sci-Fi/Fantasy',
    {
      font: 'sans-serif',
      palettes: [
        ['#1b1140', '#f4edff', '#ff5d8f', '#7b4fe0', '#2ec4d6'],
        ['#071e3d', '#e8f6ff', '#ffd166', '#21c7a8', '#1f6fb2'],
      ],
      designs: [stars, peaks, rings, arch, fan],
    },
  ],
  [
    'Science',
    {
      font: 'sans-serif',
      palettes: [
        ['#f2f7f9', '#10314a', '#f4b942', '#e4604e', '#1b98a6'],
        ['#0d2b3e', '#e6f7f5', '#f6c85f', '#ee6c4d', '#17a398'],
      ],
      designs: [rings, dots, stars, peaks, leaves],
    },
  ],
  [
    'Travel',
    {
      font: 'sans-serif',
      palettes: [
        ['#fff4dc', '#123b4a', '#ff9f5a', '#f25f5c', '#2a9d9a'],
        ['#d7eef2', '#12344d', '#f7b32b', '#2d82b7', '#0d5c75'],
      ],
      designs: [peaks, hills, waves, city, arch],
    },
  ],
]);

export function coverStyle(category: string): CoverStyle {
  const style = STYLES.get(category);
  if (style === undefined) throw new Error(`no cover style for the category "${category}": add one in cover-styles.ts`);
  return style;
}
