import { grouped, quote } from '../text.js';
import { BatchFiller, strictMessage } from './batch-filler.js';
import { createColumnFinder } from './columns.js';
import { createDecoder } from './decode.js';
import { guessText, planFor, planNotes } from './plan.js';
import { createSuspicions, NO_SUSPICIONS } from './suspicions.js';
import { createTally } from './tally.js';
export async function loadFile(load) {
    const { opened, model, firstId } = load;
    const { source, plan } = opened;
    const own = planFor(plan, model);
    const { file, collection, bytes, format } = source;
    const startedAt = performance.now();
    const [guess] = plan.guesses;
    if (load.strict && guess)
        return { file, message: `a field is guessed, and --strict allows no guess: ${guessText(model, guess)}` };
    const tally = createTally(model, load.suspects ? createSuspicions(model, load.nowMs) : NO_SUSPICIONS);
    const addColumns = (columns) => {
        if (columns.records > 0)
            load.onNames(columns.names);
        tally.addColumns(columns);
    };
    const columns = createColumnFinder(own, addColumns);
    const decoder = createDecoder();
    const dialectNotes = [];
    let dateNote;
    let fault;
    const filler = new BatchFiller({
        model,
        tally,
        firstId,
        keepsExtra: load.keepsExtra,
        forms: own.forms,
        markup: plan.isOwn ? undefined : await import('./markup.js'),
        onFinding(number, line, refusal, notes) {
            if (!load.strict || fault)
                return;
            const message = strictMessage(model, `${grouped(number)}`, refusal, notes);
            fault = message === undefined ? undefined : { file, line, message };
        },
        take: (batch) => tally.accept(batch, load.sink(batch), firstId !== undefined),
    });
    filler.context = { isCsv: format === 'csv', dateOrder: undefined, isOwn: plan.isOwn };
    const onDates = async () => {
        const survey = await load.surveyDates();
        if ('message' in survey)
            return survey;
        filler.context = { ...filler.context, dateOrder: orderOf(survey) };
        dateNote = dateNoteOf(survey);
        return undefined;
    };
    const { onRead } = load;
    const isStopped = () => fault !== undefined;
    const failed = await load.read(opened, {
        model,
        columns,
        forms: own.forms,
        filler,
        decoder,
        isStopped,
        onDates,
        onDialectNote: (text) => dialectNotes.push(text),
        ...(onRead && { onRead }),
    });
    const broken = fault ?? failed;
    if (broken)
        return broken;
    for (const found of columns.known())
        addColumns(found);
    const result = tally.result();
    if (decoder.foreign() > 0)
        load.warn('some text is not in UTF-8 and was read as windows-1252');
    const suspicions = dateNote === undefined ? result.suspicions : [...result.suspicions, dateNote];
    const notes = [...dialectNotes, ...planNotes(plan)];
    return {
        file,
        collection,
        bytes,
        tookMs: performance.now() - startedAt,
        ...result,
        keepsExtra: load.keepsExtra,
        notes,
        suspicions,
    };
}
const orderOf = ({ proofs }) => proofs.has('day first') && !proofs.has('month first') ? 'day first' : 'month first';
/** What is to be said about a column's dates; nothing where they prove to be month/day. */
function dateNoteOf({ proofs }) {
    const day = proofs.get('day first');
    const month = proofs.get('month first');
    if (day && month)
        return `date: both day/month (${quote(day.raw)} on line ${day.line}) and month/day (${quote(month.raw)} on line ${month.line}); read as month/day where either is possible`;
    if (day)
        return `date: read as day/month, as ${quote(day.raw)} on line ${day.line} shows`;
    return month ? undefined : 'date: nothing shows whether dates are month/day or day/month; read as month/day';
}
