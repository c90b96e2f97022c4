/**
 * How does a record of any format become cells of fields?
 * Takes: `SourceRow`s (`source-row.ts`): names, and spans over bytes. Nothing here knows the format.
 * Gives: full record batches. Which member feeds which field is decided once for each set of names that records have. A record without a required
 * value is refused.
 * Skip: how a value is read (`field-reader.ts`, `values/`), fields that are fed from inside of a member (`fed-members.ts`).
 */
import { cellOf, NULL } from '../../batch.js';
import { type CollectionModel, ID_FIELD, roleIndex } from '../../model.js';
import type { ColumnPlan } from '../fields/columns.js';
import { type Spellings, spellingOfField } from '../fields/spellings.js';
import type { RecordTaker, SourceRow } from '../place/source-row.js';
import type { ColumnWatch } from '../profile/column-watch.js';
import type { LateColumns } from '../profile/late-columns.js';
import type { Tally } from '../report/tally.js';
import type { BatchMemory } from '../source/batch-memory.js';
import { CellWriter } from '../values/cell-writer.js';
import type { TextForm } from '../values/text-forms.js';
import { type CellContext, requiredReason, timeOf } from '../values/values.js';
import { type Columns, findColumns } from './columns.js';
import { type FedMembers, type FeedContext, fedMembersOf, feedFields } from './fed-members.js';
import { FieldReader, RecordFindings } from './field-reader.js';
import { contentBegun, tooLongText } from './record-texts.js';

/** Past this many arrays of names all are forgotten, so that dumps with ever new names need no more memory. */
const MAX_BINDINGS = 1000;

interface BinderOptions {
  readonly model: CollectionModel;
  readonly memory: BatchMemory;
  readonly tally: Tally;
  readonly plan: ColumnPlan;
  /** Record n gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  readonly context: CellContext;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** How the cells of the fields are spelt, where it is not as the context has it. */
  readonly spellings?: Spellings;
  /** Per field what may overturn decisions about its column. */
  readonly watches?: readonly (ColumnWatch | undefined)[];
  /** The columns that feed no field so far; undefined where none may become one. */
  readonly lateColumns?: LateColumns | undefined;
  /** Takes a full batch. */
  readonly take: (batch: BatchMemory) => void;
}

/** The decisions for all records of the same names. */
interface Binding {
  readonly columns: Columns;
  readonly fedMembers: FedMembers;
}

export class Binder implements RecordTaker {
  readonly cells: CellWriter;
  readonly #options: BinderOptions;
  readonly #findings = new RecordFindings();
  readonly #readers: readonly FieldReader[];
  readonly #required: readonly FieldReader[];
  readonly #title: FieldReader | undefined;
  readonly #body: number;
  readonly #context: FeedContext;
  readonly #bindings = new Map<readonly string[], Binding>();
  #last: Binding | undefined;

  constructor(options: BinderOptions) {
    const { model, memory, tally, context, forms, watches = [], spellings } = options;
    this.#options = options;
    this.cells = new CellWriter(memory, model.fields.length);
    this.#context = { memory, tally, lateColumns: options.lateColumns };
    this.#readers = model.fields.map(
      (field, i) =>
        new FieldReader(field, i, {
          cells: this.cells,
          findings: this.#findings,
          tally,
          watch: watches[i],
          context: {
            ...context,
            form: forms[i] ?? 'plain',
            ...(spellings && spellingOfField(spellings, i)),
          },
        }),
    );
    this.#required = this.#readers.filter(({ isRequired }) => isRequired);
    this.#title = this.#readers[roleIndex(model, 'title')];
    this.#body = roleIndex(model, 'body');
  }

  /** Hands on the batch, and empties it. */
  flush(): void {
    if (this.cells.memory.size > 0) this.#options.take(this.cells.memory);
    this.cells.empty();
  }

  refuse(line: number, reason: string): void {
    this.#options.tally.begin();
    this.#options.tally.refuse(line, reason);
  }

  /** Takes a record, for which there is room, into the batch. */
  bind(row: SourceRow, line: number): void {
    const { columns, fedMembers } = this.#bindingOf(row.names);
    const { types, typePosition, scrapedPosition } = columns;
    const otherType = typePosition === -1 ? undefined : types?.otherType(row.value(typePosition));
    if (otherType !== undefined) {
      this.#options.tally.leaveOut(otherType);
      return;
    }
    this.cells.beginRecord(line);
    this.#findings.beginRecord();
    if (scrapedPosition !== -1) this.#findings.scrapedAtMs = this.#timeOf(row.value(scrapedPosition));
    if (row.repeatedNames.length > 0) this.#options.tally.repeatNames([], row.repeatedNames);
    feedFields(row, fedMembers, this.#context);
    columns.records++;
    this.#endRecord(line);
  }

  #bindingOf(names: readonly string[]): Binding {
    if (this.#last?.columns.names === names) return this.#last;
    let binding = this.#bindings.get(names);
    if (binding === undefined) {
      if (this.#bindings.size === MAX_BINDINGS) this.countColumns();
      const { plan, model, firstId } = this.#options;
      const columns = findColumns(plan, model, names, firstId !== undefined);
      const fed = columns.fed.map(({ field, position, path }) => ({
        member: position,
        reader: this.#readers[field]!,
        path,
      }));
      binding = { columns, fedMembers: fedMembersOf(names, [], fed, this.#context) };
      this.#bindings.set(names, binding);
    }
    this.#last = binding;
    return binding;
  }

  /** Tells the names that records had, with their numbers, and forgets them. */
  countColumns(): void {
    for (const { columns } of this.#bindings.values()) this.#options.tally.addColumns(columns);
    this.#bindings.clear();
    this.#last = undefined;
  }

  /** The time at which a record was scraped, from which its relative dates count. */
  #timeOf(raw: unknown): number | undefined {
    const { context } = this.#options;
    return timeOf(raw, context.dateOrder) ?? context.scrapedAtMs;
  }

  /** Takes the record into the batch, unless it lacks what it needs. */
  #endRecord(line: number): void {
    const { tally, firstId } = this.#options;
    const { notes } = this.#findings;
    const number = tally.begin();
    if (firstId !== undefined) this.#readers[ID_FIELD]!.spell(firstId + number - 1);
    this.#titleFromContent();
    const reason = this.#missing() ?? tooLongText(this.cells.memory, this.#options.model);
    if (reason === undefined) {
      for (let i = 0; i < this.#findings.noteCount; i++) tally.note(line, notes[i]!);
      this.cells.memory.size++;
    } else {
      tally.refuse(line, reason);
      this.cells.dropRecord();
    }
  }

  /** A record without a title takes the first words of its content; one that was refused for a blank title is refused no more. */
  #titleFromContent(): void {
    const title = this.#title;
    const { memory } = this.cells;
    if (title === undefined || this.#body === -1) return;
    const isRefused = this.#findings.refused === title;
    if (!isRefused && memory.kinds[cellOf(title.index, memory.size)]! > NULL) return;
    const words = contentBegun(memory, this.#body, this.#options);
    if (words === '') return;
    this.#findings.add({ field: title.index, raw: isRefused ? this.#findings.refusedRaw : null, read: words });
    if (isRefused) this.#findings.refused = undefined;
    title.spell(words);
  }

  /** Why the record is refused: the first required field whose cell is no value; undefined where all have one. */
  #missing(): string | undefined {
    const { refused, refusedRaw } = this.#findings;
    const { kinds, size } = this.cells.memory;
    for (const reader of this.#required) {
      if (reader === refused) return requiredReason(reader.field, refusedRaw);
      if (kinds[cellOf(reader.index, size)]! <= NULL) return requiredReason(reader.field, undefined);
    }
    return undefined;
  }
}
