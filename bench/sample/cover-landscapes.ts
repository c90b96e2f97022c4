/** Cover motifs with a horizon or a sky. Everything is drawn in whole units to keep the markup short. */

import type { Design } from './cover-design.js';
import { circle, line, path, TEXT_LOW, TEXT_TOP } from './cover-design.js';

const FLOOR = 'V360H0z';
const ROUND = " stroke-linecap='round'";

const hills: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, ink, light, near, far]) {
    const ridge = (y: number): string => {
      const swing = random.pick([-1, 1]) * random.integer(30, 50);
      return `M0 ${y}C70 ${y - swing} 150 ${y + swing} 240 ${y - random.integer(0, 20)}${FLOOR}`;
    };
    return (
      circle(random.integer(60, 185), 218, random.integer(32, 42), light) +
      path(ridge(246), far) +
      path(ridge(286), near) +
      path(ridge(330), ink)
    );
  },
};

const peaks: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, , light, near, far]) {
    const tall = random.integer(70, 165);
    const side = tall > 120 ? 50 : 190;
    const summit = (x: number, y: number, slope: number): string => `M${x} ${y}l${slope} ${360 - y}h${-2 * slope}z`;
    const snow = `M${tall} 190l23 39-12-5-11 9-12-9-11 5z`;
    return (
      circle(side, 212, 22, light) +
      path(summit(side, 252, 96), far) +
      path(summit(tall, 190, 100), near) +
      path(snow, light) +
      path(`M0 334q60-26 120-8t120-10${FLOOR}`, far)
    );
  },
};

const waves: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, ink, light, near, far]) {
    const swell = (y: number): string => {
      const start = -random.integer(0, 60);
      return `M${start} ${y}q30-22 60 0t60 0 60 0 60 0 60 0V360H0z`;
    };
    return (
      circle(random.integer(60, 180), 222, 38, light) +
      path(swell(240), far) +
      path(swell(272), near) +
      path(swell(304), far) +
      path(swell(336), ink)
    );
  },
};

const city: Design = {
  textTop: TEXT_TOP,
  align: 'start',
  draw(random, [, , light, near, far]) {
    let back = '';
    let front = '';
    let windows = '';
    for (let x = 0; x < 240; x += 48) {
      back += `M${x - 8} 360V${random.integer(212, 250)}h34v150z`;
      const top = random.integer(240, 300);
      front += `M${x + 4} 360V${top}h40v120z`;
      windows += `M${x + 14} ${top + 12}V350M${x + 34} ${top + 12}V350`;
    }
    return (
      circle(random.integer(50, 190), 204, 24, light) +
      path(back, far) +
      path(front, near) +
      line(windows, light, 7, " stroke-dasharray='9 11'")
    );
  },
};

const leaves: Design = {
  textTop: TEXT_TOP,
  align: 'middle',
  draw(random, [, ink, light, near, far]) {
    const lean = random.integer(-12, 12);
    let leftLeaves = '';
    let rightLeaves = '';
    for (let y = 346, size = 52; y > 240; y -= 30, size -= 7) {
      const width = size + 16;
      leftLeaves += `M120 ${y}q${-size}-2${-width}${-size}q${width - 4} 4 ${width} ${size}`;
      rightLeaves += `M120 ${y - 12}q${size}-2 ${width}${-size}q${4 - width} 4${-width} ${size}`;
    }
    const tip = `M120 234q${lean - 20}-28 ${lean}-54q${20 - lean} 28${-lean} 54`;
    return (
      circle(120, 275, 84, light) + line('M120 360V220', ink, 3) + path(leftLeaves + tip, near) + path(rightLeaves, far)
    );
  },
};

const stars: Design = {
  textTop: TEXT_LOW,
  align: 'start',
  draw(random, [, ink, light, near, far]) {
    const x = random.integer(95, 165);
    let dust = '';
    for (let column = 20; column < 240; column += 22) dust += `M${column} ${random.integer(14, 190)}h0`;
    const sparkle = (at: number, y: number, size: number): string =>
      `M${at} ${y}q2 ${size - 2} ${size} ${size}q${2 - size} 2${-size} ${size}` +
      `q-2 ${2 - size}${-size}${-size}q${size - 2}-2 ${size}${-size}`;
    const sparkles = sparkle(x - 66, random.integer(30, 50), 15) + sparkle(x + 56, random.integer(110, 140), 20);
    return (
      line(dust, ink, 3, ROUND) +
      circle(x, 100, 54, far) +
      circle(x, 100, 42, near) +
      path(`M${x} 70a30 30 0 1 0 30 38a24 24 0 1 1-30-38`, light) +
      path(sparkles, light)
    );
  },
};

export const landscapes = { city, hills, leaves, peaks, stars, waves } as const;
