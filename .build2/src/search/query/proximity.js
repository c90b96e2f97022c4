/**
 * What only the order of a record's words can tell: whether a phrase occurs in it, and how often two words stand as
 * they stand in the query. Both read the positions of a few postings: some 0.05 µs for each word and row.
 */
import { score, scoreBound } from '../scoring.js';
import { cursorsOf } from './positions.js';
/** Counts pairs in single rows. */
export class PairReader {
    tables;
    norms;
    pairs;
    /** Of each pair's first and second word. */
    cursors;
    constructor(tables, norms, pairs) {
        const terms = pairs.flatMap(({ first, second }) => [first, second]);
        const cursors = cursorsOf(tables, terms);
        this.tables = tables;
        this.norms = norms;
        this.pairs = pairs;
        this.cursors = terms.map((term) => cursors.get(term));
    }
    /**
     * What the pairs add to the row's score, which is `most` at most: the sum of `scoreBound`. Some number below `needed`
     * where that is less: no pair is counted any more once the others cannot make it up.
     */
    scoreAt(row, most, needed) {
        const { pairs, cursors } = this;
        const norm = this.norms[row];
        let sum = 0;
        let open = most;
        for (let i = 0; i < pairs.length && sum + open >= needed; i++) {
            const { weight, distance } = pairs[i];
            const first = cursors[2 * i];
            const second = cursors[2 * i + 1];
            if (!first.read(row) || !second.read(row))
                continue;
            open -= scoreBound(weight, Math.min(first.frequency, second.frequency), norm);
            const frequency = this.frequencyOf(row, first, second, distance);
            if (frequency > 0)
                sum += score(weight, frequency, norm);
        }
        return sum;
    }
    /** How much the places count, each by its field, where the second word follows the first. */
    frequencyOf(row, first, second, distance) {
        const { positions, count } = second;
        const marks = first.marked();
        let frequency = 0;
        for (let i = 0; i < count; i++) {
            if (isMarked(marks, positions[i] - distance, row))
                frequency += this.weightAt(row, positions[i]);
        }
        return frequency;
    }
    /** The weight of the field that a position lies in. */
    weightAt(row, position) {
        const { fieldStarts, fieldWeights } = this.tables;
        const first = row * fieldWeights.length;
        let weight = 0;
        for (let field = 0; field < fieldWeights.length; field++) {
            if (fieldStarts[first + field] <= position)
                weight = fieldWeights[field];
        }
        return weight;
    }
}
/** Looks for a phrase of two words or more in single rows, from the places of its rarest word. */
export class PhraseReader {
    /** The rarest word's first. */
    cursors;
    /** How far from the rarest word each of them stands. */
    distances;
    constructor(tables, phrase, cursors) {
        const frequency = (at) => tables.documentFrequencies[phrase[at]];
        const places = [...phrase.keys()].sort((a, b) => frequency(a) - frequency(b));
        this.cursors = places.map((at) => cursors.get(phrase[at]));
        this.distances = places.map((at) => at - places[0]);
    }
    isIn(row) {
        const rarest = this.cursors[0];
        const next = this.cursors[1];
        if (!rarest.read(row) || !next.read(row))
            return false;
        const { positions, count } = rarest;
        const marks = next.marked();
        const distance = this.distances[1];
        for (let i = 0; i < count; i++) {
            if (isMarked(marks, positions[i] + distance, row) && this.isAround(row, positions[i]))
                return true;
        }
        return false;
    }
    /** Whether the words from the third on stand where they should, were the rarest one's place this position. */
    isAround(row, position) {
        const { cursors, distances } = this;
        for (let i = 2; i < cursors.length; i++) {
            if (!cursors[i].read(row) || !isMarked(cursors[i].marked(), position + distances[i], row))
                return false;
        }
        return true;
    }
}
const isMarked = (marks, position, row) => position >= 0 && position < marks.length && marks[position] === row + 1;
