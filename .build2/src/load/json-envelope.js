/**
 * Follows what stands behind the array of records, to the end of its envelope, through the strict checker. A second array of
 * such records is a fault: nobody could tell which of them is meant.
 */
import { JsonChecker } from './json-checker.js';
import { twoArrays } from './json-layout.js';
import { openingOf } from './json-opening.js';
import { isPlainObject } from './paths.js';
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const COLON = 58;
/** Names of the first element of a second array are looked for in so many bytes. */
const MAX_ELEMENT_BYTES = 1 << 16;
export class EnvelopeRest {
    #envelope;
    #checker;
    /** Objects around the records that are still open. */
    #open;
    #name = [];
    #lastName = '';
    #isAfterName = false;
    #array;
    #element;
    #second;
    constructor(envelope, line) {
        this.#envelope = envelope;
        this.#open = envelope.depth;
        this.#checker = new JsonChecker('members', line, 1, envelope.depth);
    }
    get isComplete() {
        return this.#open === 0 && this.#second === undefined;
    }
    /** The second array, if there is one. */
    get second() {
        return this.#second;
    }
    /** Takes the next bytes; false where they are no JSON or there is a second array. */
    feed(bytes) {
        for (const byte of bytes)
            if (!this.#take(byte))
                return false;
        return true;
    }
    #take(byte) {
        const checker = this.#checker;
        if (this.#open === 0)
            return byte === 32 || byte === 10 || byte === 13 || byte === 9;
        const { line, depth, inName } = checker;
        if (checker.step(byte) !== undefined)
            return false;
        checker.pass(byte);
        if (depth === this.#open)
            this.#member(byte, inName, line);
        else if (this.#array && depth === this.#open + 1 && byte > 32 && this.#element === undefined) {
            if (byte === OPEN_OBJECT)
                this.#element = [];
            else
                this.#array = undefined;
        }
        this.#open = Math.min(this.#open, checker.depth);
        if (this.#array && this.#element)
            this.#collect(byte, this.#array, this.#element);
        return this.#second === undefined;
    }
    #member(byte, wasName, line) {
        const isName = this.#checker.inName;
        if (wasName || isName)
            this.#name.push(byte);
        if (wasName && !isName) {
            this.#lastName = String(JSON.parse(Buffer.from(this.#name).toString('utf8')));
            this.#name = [];
            this.#isAfterName = true;
        }
        else if (this.#isAfterName && byte !== COLON && byte > 32) {
            this.#isAfterName = false;
            if (byte === OPEN_ARRAY)
                this.#array = { name: this.#lastName, line };
        }
    }
    /** Collects the first element of an array, and compares its names with those of the records. */
    #collect(byte, array, element) {
        element.push(byte);
        if (this.#checker.depth > this.#open + 1 && element.length < MAX_ELEMENT_BYTES)
            return;
        const [first] = openingOf(Buffer.from(element)).roots;
        const names = isPlainObject(first) ? Object.keys(first) : [];
        if (names.every((name) => this.#envelope.names.has(name)))
            this.#second = { line: array.line, message: twoArrays(this.#envelope, array) };
        this.#array = undefined;
        this.#element = undefined;
    }
}
