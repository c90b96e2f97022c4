export function createRandom(seed) {
    const next = mulberry32(seed);
    const integer = (low, high) => low + Math.floor(next() * (high - low + 1));
    return {
        next,
        integer,
        chance: (probability) => next() < probability,
        normal(mean, deviation) {
            // 1 - next() is never 0, so that the logarithm is finite.
            const radius = Math.sqrt(-2 * Math.log(1 - next()));
            return mean + deviation * radius * Math.cos(2 * Math.PI * next());
        },
        pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
        shuffle(items) {
            const rest = [...items];
            return items.flatMap(() => rest.splice(integer(0, rest.length - 1), 1));
        },
    };
}
function mulberry32(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}
