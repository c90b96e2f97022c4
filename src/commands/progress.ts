/** A progress bar for a terminal, shown once loading has taken longer than a second. */

const SHOW_AFTER_MS = 1000;
const REDRAW_MS = 100;
const WIDTH = 30;

export interface Progress {
  update(file: string, doneBytes: number, totalBytes: number): void;
  /** Removes the bar. */
  end(): void;
}

export const noProgress: Progress = { update: () => {}, end: () => {} };

export function createProgress(write: (text: string) => void, now: () => number): Progress {
  const startedAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    update(file, doneBytes, totalBytes) {
      const time = now();
      if (time - startedAt < SHOW_AFTER_MS || time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      isShown = true;
      write(`\r\x1b[K${bar(totalBytes === 0 ? 1 : doneBytes / totalBytes)} ${file}`);
    },
    end() {
      if (isShown) write('\r\x1b[K');
      isShown = false;
    },
  };
}

function bar(share: number): string {
  const filledCells = Math.round(Math.min(1, share) * WIDTH);
  const percent = `${Math.floor(Math.min(1, share) * 100)} %`.padStart(5);
  return `${'█'.repeat(filledCells)}${'░'.repeat(WIDTH - filledCells)} ${percent}`;
}
