/**
 * Builds the tables of a search index while records stream past; a builder is used up by `finish`. Records' texts become
 * a stream of tokens (`token-reader.ts`), tokens become terms (`token-terms.ts`), and the stream postings (`inverter.ts`).
 */
import { cellOf, hasText, LIST } from '../../batch.js';
import { MAX_FIELDS } from '../../kernels/stream-layout.js';
import { DEFAULT_RANKING } from '../scoring.js';
import { Inverter } from './inverter.js';
import { TokenReader } from './token-reader.js';
import { termsOfTokens } from './token-terms.js';
import { Vocabulary } from './vocabulary.js';
export function createTablesBuilder(fields, ranking = DEFAULT_RANKING) {
    const weights = weightsOf(fields);
    const vocabulary = new Vocabulary();
    const inverter = new Inverter();
    const reader = new TokenReader((units, length) => vocabulary.wordOf(units, length), (entries) => inverter.add(entries));
    return {
        add(texts) {
            reader.beginRecord();
            texts.forEach((text, field) => {
                reader.addValue(field, text);
            });
        },
        addBatch(batch, columns) {
            for (let i = 0; i < batch.size; i++) {
                reader.beginRecord();
                for (let field = 0; field < columns.length; field++)
                    addCell(reader, field, batch, cellOf(columns[field], i));
            }
            reader.endBatch();
        },
        finish(rowOf) {
            reader.finish();
            const terms = termsOfTokens(reader, vocabulary);
            const tables = inverter.finish(rowOf, terms, weights, ranking);
            return { ...tables, ...vocabulary.dictionary(tables.documentFrequencies) };
        },
    };
}
function addCell(reader, field, batch, cell) {
    const { bytes, kinds, starts, ends, elements, elementsFrom, elementsTo } = batch;
    const kind = kinds[cell];
    if (hasText(kind))
        reader.addText(field, bytes, starts[cell], ends[cell]);
    else if (kind === LIST)
        reader.addList(field, bytes, elements, elementsFrom[cell], elementsTo[cell]);
}
/** The weights of fields, checked. */
function weightsOf(fields) {
    const weights = fields.map(({ weight }) => weight);
    if (weights.length > MAX_FIELDS)
        throw new RangeError(`at most ${MAX_FIELDS} fields are searched, found ${weights.length}`);
    if (weights.every((weight) => Number.isInteger(weight) && weight > 0 && weight < 255))
        return weights;
    throw new RangeError(`search weights are whole numbers from 1 to 254, found ${weights.join(', ')}`);
}
