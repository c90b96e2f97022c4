export const LINE_HEIGHT = 1.16;
const WIDTHS = [
    [/\p{Mn}/u, 0],
    [/\p{Extended_Pictographic}/u, 1.4],
    [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/u, 1.02],
    [/[ .,:;'’|!iIjlíìî]/u, 0.36],
    [/[ftr()\-“”"«»]/u, 0.48],
    [/[mwMW@&=+%—…]/u, 0.98],
    [/[\p{Lu}\p{Nd}]/u, 0.74],
];
const OTHER_WIDTH = 0.64;
/**
 * Where a line may end: after a space (unless a number or an emoji follows) or a hyphen, in Japanese where
 * hiragana gives way to another script, which is mostly the start of a word, and after East Asian punctuation.
 */
const BREAKS = /(?<=[ \u3000-])(?![\p{Nd}\p{Extended_Pictographic}])|(?<=\p{sc=Hiragana})(?=[\p{sc=Han}\p{sc=Katakana}])|(?<=[，：。、])/u;
export function setText(text, room) {
    const pieces = text.split(BREAKS);
    for (const size of room.sizes) {
        const lines = wrap(pieces, room.width / size / room.stretch);
        if (lines !== undefined && lines.length <= capacity(room, size))
            return { size, lines: balance(pieces, lines) };
    }
    return shorten(text, room);
}
export function measure(text) {
    let ems = 0;
    for (const character of text)
        ems += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? OTHER_WIDTH;
    return ems;
}
function capacity(room, size) {
    return Math.min(room.maxLines, Math.floor(room.height / (size * LINE_HEIGHT)));
}
/** The pieces in lines of at most `ems`, or nothing when a single piece is wider than that. */
function wrap(pieces, ems) {
    const lines = [];
    let current = '';
    for (const piece of pieces) {
        if (measure(piece.trimEnd()) > ems)
            return undefined;
        if (current !== '' && measure((current + piece).trimEnd()) > ems) {
            lines.push(current.trimEnd());
            current = '';
        }
        current += piece;
    }
    return [...lines, current.trimEnd()];
}
/** As many lines as before, but of more even widths. */
function balance(pieces, lines) {
    const widest = Math.max(...lines.map(measure));
    const narrower = wrap(pieces, widest - 0.1);
    return narrower === undefined || narrower.length > lines.length ? lines : balance(pieces, narrower);
}
/** At the smallest size, words are broken where they must and the end gives way to an ellipsis. */
function shorten(text, room) {
    const size = room.sizes.at(-1) ?? room.sizes[0];
    const ems = room.width / size / room.stretch;
    const lines = wrap(text.split(BREAKS).flatMap((piece) => (measure(piece) > ems ? [...piece] : [piece])), ems) ?? [];
    const kept = lines.slice(0, capacity(room, size));
    const last = kept.pop() ?? '';
    const end = lines.length > kept.length + 1 ? ellipsize(last, ems) : last;
    return { size, lines: [...kept, end] };
}
function ellipsize(line, ems) {
    const characters = [...line];
    while (measure(`${characters.join('')}…`) > ems)
        characters.pop();
    return `${characters.join('').replace(/[\s,:;-]+$/u, '')}…`;
}
