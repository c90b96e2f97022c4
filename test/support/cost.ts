/** What a piece of work costs beside another, whatever else keeps the machine busy. */

/** Milliseconds of processor time that this process spends on it. */
async function costMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The processor time of `work` as a ratio to that of `measure`: the least of each, as they take turns. */
export async function costRatio(work: (round: number) => unknown, measure: () => unknown): Promise<number> {
  let [least, unit] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 5; round++) {
    unit = Math.min(unit, await costMs(measure));
    least = Math.min(least, await costMs(() => work(round)));
  }
  return least / unit;
}
