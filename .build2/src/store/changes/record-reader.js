/**
 * Reads the JSON texts of rows one after another. Rows that follow one another are found without a search, and compact
 * texts are decoded many at once; a row out of turn is decoded alone.
 */
import { RUN_BYTES, recordBytes, SEPARATOR, separatedView, sideBySide } from '../record-text.js';
/** Rows that are looked at in one piece. */
const RUN_ROWS = 256;
export class RecordReader {
    /** The row's text is `bytes[at … end)`: not to be written to, and only valid until the next row is read. */
    bytes = Buffer.alloc(0);
    at = 0;
    end = 0;
    row = 0;
    runEnd = 0;
    text;
    size;
    room;
    constructor(text, size) {
        this.text = text;
        this.size = size;
        this.room = Buffer.allocUnsafeSlow(text.words === null ? 0 : 2 * RUN_BYTES);
    }
    read(row) {
        if (row >= this.row && row < this.runEnd) {
            for (; this.row < row; this.row++)
                this.at += recordBytes(this.text, this.row) + SEPARATOR.length;
        }
        else
            this.open(row);
        this.end = this.at + recordBytes(this.text, row);
    }
    open(row) {
        const last = row === this.runEnd ? Math.min(this.size, row + RUN_ROWS) : row + 1;
        this.runEnd = sideBySide(this.text, row, last);
        this.bytes = separatedView(this.text, row, this.runEnd, this.room);
        this.row = row;
        this.at = 0;
    }
}
