/** Cover motifs made of abstract shapes. Everything is drawn in whole units to keep the markup short. */

import type { Design } from './cover-design.js';
import { circle, line, path, TEXT_LOW, TEXT_TOP } from './cover-design.js';

const ROUND = " stroke-linecap='round'";

const arcs: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [ground, ink, light, near, far]) {
    const x = random.pick([0, 120, 240]);
    const tones = random.shuffle([far, near, light]);
    const rings = [...tones, ground, ink].map((tone, ring) => circle(x, 360, 180 - 34 * ring, tone));
    return rings.join('');
  },
};

const arch: Design = {
  textTop: TEXT_TOP,
  align: 'middle',
  draw(random, [, ink, light, near, far]) {
    const door = (half: number): string => `M${120 - half} 338v-66a${half} ${half} 0 0 1 ${2 * half} 0v66z`;
    const tones = random.pick([
      [far, near],
      [near, far],
    ]);
    return (
      tones.map((tone, step) => path(door(88 - 22 * step), tone)).join('') +
      path(door(44), ink) +
      circle(120, 274, 22, light) +
      path('M0 338h240v22H0z', ink)
    );
  },
};

const dots: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, , light, near, far]) {
    const dot = (): string => `M${30 * random.integer(1, 7)} ${160 + 30 * random.integer(1, 6)}h0`;
    const some = (count: number): string => Array.from({ length: count }, dot).join('');
    const rows = 'M30 190H211M30 220H211M30 250H211M30 280H211M30 310H211M30 340H211';
    return (
      line(rows, far, 12, `${ROUND} stroke-dasharray='0 30'`) +
      line(some(7), near, 26, ROUND) +
      line(some(5), light, 26, ROUND)
    );
  },
};

const fan: Design = {
  textTop: TEXT_TOP,
  align: 'middle',
  draw(random, [ground, ink, light, near, far]) {
    const steps = 2 * random.integer(4, 6) + 1;
    const rim = (step: number): string => {
      const angle = Math.PI * (1 - step / steps);
      return `${Math.round(120 + 180 * Math.cos(angle))} ${Math.round(360 - 180 * Math.sin(angle))}`;
    };
    let even = '';
    for (let step = 0; step < steps; step += 2) even += `M120 360L${rim(step)}A180 180 0 0 1 ${rim(step + 1)}z`;
    return (
      circle(120, 360, 180, far) +
      path(even, near) +
      circle(120, 360, 84, ground) +
      circle(120, 360, 70, light) +
      circle(120, 360, 28, ink)
    );
  },
};

const rings: Design = {
  textTop: TEXT_LOW,
  align: 'start',
  draw(random, [, , light, near, far]) {
    const turn = 2 * Math.PI * random.next();
    const disc = (tone: string, step: number): string => {
      const angle = turn + (2 * Math.PI * step) / 3;
      return circle(Math.round(120 + 40 * Math.cos(angle)), Math.round(104 + 34 * Math.sin(angle)), 62, tone);
    };
    return `<g opacity='.85'>${[far, near].map(disc).join('')}</g><g opacity='.75'>${disc(light, 2)}</g>`;
  },
};

const slant: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, ink, light, near, far]) {
    const rise = random.pick([-1, 1]) * random.integer(20, 34);
    const [upper, lower] = random.pick([
      [near, far],
      [far, near],
    ]);
    const bands = [upper, light, lower, ink].map((tone, step) => {
      const y = 222 + 38 * step;
      return path(`M0 ${y + rise}L240 ${y - rise}V360H0z`, tone);
    });
    return circle(rise > 0 ? 62 : 178, 216, 30, light) + bands.join('');
  },
};

/** A tile of 60 units: a quarter disc in one of four turns, or a whole disc. */
const TILES = [
  'h60a60 60 0 0 1-60 60z',
  'h60v60a60 60 0 0 1-60-60',
  'm60 0v60h-60a60 60 0 0 1 60-60',
  'v60h60a60 60 0 0 0-60-60',
  'm8 30a22 22 0 1 1 44 0a22 22 0 1 1-44 0',
] as const;

const TILE_CORNERS = Array.from({ length: 12 }, (_, tile) => `M${60 * (tile % 4)} ${180 + 60 * Math.floor(tile / 4)}`);

const tiles: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, , ...tones]) {
    const corners = random.shuffle(TILE_CORNERS);
    const drawTiles = (some: readonly string[]): string => some.map((corner) => corner + random.pick(TILES)).join('');
    return tones.map((tone, step) => path(drawTiles(corners.slice(4 * step, 4 * step + 4)), tone)).join('');
  },
};

export const patterns = { arch, arcs, dots, fan, rings, slant, tiles } as const;
