/**
 * Binds the records of any format (`source-row.ts`) to fields, and fills record batches. For each array of names it is decided once which
 * member feeds which field, by which path. The field's reader (`field-reader.ts`) makes a cell of the member. A record without a
 * required value is refused.
 */

import { cellOf, NULL, textOf } from '../../batch.js';
import { COUNT, OBJECT } from '../../kernels/json-layout.js';
import { type CollectionModel, ID_FIELD, roleIndex } from '../../model.js';
import { type ColumnPlan, type Columns, findColumns } from '../fields/columns.js';
import { NameTree, NOTHING, type RecordTaker, SourceRow } from '../place/source-row.js';
import type { ColumnWatch } from '../profile/column-watch.js';
import type { LateColumn, LateColumns } from '../profile/late-columns.js';
import type { Tally } from '../report/tally.js';
import type { BatchMemory } from '../source/batch-memory.js';
import { CellWriter } from '../values/cell-writer.js';
import type { DateOrder } from '../values/dates.js';
import { type Path, valueAtPath } from '../values/paths.js';
import type { TextForm } from '../values/text-forms.js';
import { firstWords } from '../values/texts.js';
import { type CellContext, requiredReason, timeOf } from '../values/values.js';
import { FieldReader, RecordFindings } from './field-reader.js';
import { tooLongText } from './long-texts.js';

/** Past this many arrays of names all are forgotten, so that dumps with ever new names need no more memory. */
const MAX_BINDINGS = 1000;

export interface BinderOptions {
  readonly model: CollectionModel;
  readonly memory: BatchMemory;
  readonly tally: Tally;
  readonly plan: ColumnPlan;
  /** Record n gets the id `firstId + n - 1`; undefined where records have ids of their own. */
  readonly firstId: number | undefined;
  readonly context: CellContext;
  /** Per field the form of its texts. */
  readonly forms: readonly TextForm[];
  /** The order of day and month in each field of dates, where it is not that of the context. */
  readonly dateOrders?: ReadonlyMap<number, DateOrder>;
  /** Per field what may overturn decisions about its column. */
  readonly watches?: readonly (ColumnWatch | undefined)[];
  /** The columns that feed no field so far; undefined where none may become one. */
  readonly lateColumns?: LateColumns | undefined;
  /** The fields of numbers whose commas are decimal signs, whatever the context says of all. */
  readonly decimalCommas?: ReadonlySet<number>;
  /** Called once for the columns of each array of names, when its records are counted. */
  readonly onColumns: (columns: Columns) => void;
  /** Takes a full batch. */
  readonly take: (batch: BatchMemory) => void;
}

/** A member that feeds a field: itself, or by a path into it. */
interface FedMember {
  readonly member: number;
  readonly reader: FieldReader;
  readonly path: Path;
}

/** The members that feed fields, for all records or objects of the same names. */
interface FedMembers {
  readonly members: readonly FedMember[];
  readonly groups: readonly MemberGroup[];
  readonly late: readonly LateMember[];
}

/** A member that feeds no field. */
interface LateMember {
  readonly member: number;
  readonly column: LateColumn;
}

/** The decisions for all records of the same names. */
interface Binding {
  readonly columns: Columns;
  readonly feed: FedMembers;
}

/** Fields that are fed from inside of one member. */
interface MemberGroup {
  readonly member: number;
  readonly path: readonly string[];
  readonly fed: readonly FedMember[];
  /** Whether the first step of every path is a name. */
  readonly areNamed: boolean;
  /** The names of the member's objects, and for each array of names the members that feed fields. */
  readonly tree: NameTree;
  readonly feeds: WeakMap<readonly string[], FedMembers>;
}

export class Binder implements RecordTaker {
  readonly cells: CellWriter;
  readonly #options: BinderOptions;
  readonly #findings = new RecordFindings();
  readonly #readers: readonly FieldReader[];
  readonly #required: readonly FieldReader[];
  readonly #title: FieldReader | undefined;
  readonly #body: number;
  readonly #bindings = new Map<readonly string[], Binding>();
  #last: Binding | undefined;

  constructor(options: BinderOptions) {
    const { model, memory, tally, context, forms, dateOrders = new Map<number, DateOrder>() } = options;
    const { watches = [], decimalCommas } = options;
    this.#options = options;
    this.cells = new CellWriter(memory, model.fields.length);
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
            dateOrder: dateOrders.get(i) ?? context.dateOrder,
            hasDecimalCommas: context.hasDecimalCommas === true || decimalCommas?.has(i) === true,
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
    const { columns, feed } = this.#bindingOf(row.names);
    const { types, typePosition, scrapedPosition } = columns;
    const otherType = typePosition === -1 ? undefined : types?.otherType(row.value(typePosition));
    if (otherType !== undefined) {
      this.#options.tally.leaveOut(otherType);
      return;
    }
    this.cells.beginRecord(line);
    this.#findings.begin();
    if (scrapedPosition !== -1) this.#findings.scrapedAtMs = this.#timeOf(row.value(scrapedPosition));
    this.#feed(row, feed);
    columns.records++;
    this.#end(line);
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
      binding = { columns, feed: this.#feedOf(names, [], fed) };
      this.#bindings.set(names, binding);
    }
    this.#last = binding;
    return binding;
  }

  /** Separates members that are values from those with values inside, each of which is listed once, and from those that feed no field. */
  #feedOf(names: readonly string[], path: readonly string[], fed: readonly FedMember[]): FedMembers {
    const inside = fed.filter((each) => each.path.length > 0);
    const fedMembers = new Set(fed.map(({ member }) => member));
    const late = names.flatMap((name, member): readonly LateMember[] => {
      const column = fedMembers.has(member) ? undefined : this.#options.lateColumns?.at([...path, name]);
      return column === undefined ? [] : [{ member, column }];
    });
    return {
      late,
      members: fed.filter((each) => each.path.length === 0),
      groups: [...new Set(inside.map(({ member }) => member))].map((member) => {
        const ofMember = inside.filter((each) => each.member === member);
        const areNamed = ofMember.every(({ path: [step] }) => typeof step === 'string');
        return {
          member,
          path: [...path, names[member] ?? ''],
          ...{ fed: ofMember, areNamed, tree: new NameTree(this.cells.memory), feeds: new WeakMap() },
        };
      }),
    };
  }

  /** Tells the names that records had, with their numbers, and forgets them. */
  countColumns(): void {
    for (const { columns } of this.#bindings.values()) this.#options.onColumns(columns);
    this.#bindings.clear();
    this.#last = undefined;
  }

  /** The time at which a record was scraped, from which its relative dates count. */
  #timeOf(raw: unknown): number | undefined {
    const { context } = this.#options;
    return timeOf(raw, context.dateOrder) ?? context.scrapedAtMs;
  }

  #feed(row: SourceRow, { members, groups, late }: FedMembers): void {
    for (let i = 0; i < members.length; i++) members[i]!.reader.read(row, members[i]!.member);
    for (let i = 0; i < groups.length; i++) this.#feedInside(row, groups[i]!);
    for (let i = 0; i < late.length; i++) late[i]!.column.look(row, late[i]!.member);
  }

  /** Feeds fields from inside of a member. An object's members are written to the tape, behind those of the record; all else is parsed. */
  #feedInside(row: SourceRow, group: MemberGroup): void {
    const { member, fed, areNamed } = group;
    const kind = row.kind(member);
    if (kind === NULL || kind === NOTHING) return;
    if (kind === OBJECT && areNamed) this.#feedObject(row, group);
    else {
      const value = fed[0]?.reader.valueOf(row, member);
      for (const { reader, path } of fed) reader.readValue(valueAtPath(value, path, reader.isList));
    }
  }

  #feedObject(row: SourceRow, { member, path, tree, feeds, fed }: MemberGroup): void {
    const { memory } = this.cells;
    const object = new SourceRow(memory, row.first + row.size);
    // The record was proved, and the object ends in it.
    memory.kernel.members(row.start(member), row.end(member), object.first);
    object.size = memory.words[COUNT / 4]!;
    tree.name(object);
    let feed = feeds.get(object.names);
    if (feed === undefined) {
      const steppedFed = fed.flatMap((each) => steppedInto(object.names, each));
      feed = this.#feedOf(object.names, path, steppedFed);
      feeds.set(object.names, feed);
    }
    this.#feed(object, feed);
  }

  /** Takes the record into the batch, unless it lacks what it needs. */
  #end(line: number): void {
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

  /** A record without a title takes the first words of its content. */
  #titleFromContent(): void {
    const title = this.#title;
    const { memory } = this.cells;
    if (title === undefined || this.#body === -1) return;
    const isBlank = this.#findings.refused === title;
    if (!isBlank && memory.kinds[cellOf(title.index, memory.size)]! > NULL) return;
    const words = firstWords(this.#bodyBegun());
    if (words === '') return;
    this.#findings.add({ field: title.index, raw: isBlank ? this.#findings.refusedRaw : null, read: words });
    if (isBlank) this.#findings.refused = undefined;
    title.spell(words);
  }

  /** The beginning of the record's content, as people read it. HTML is text already, and an export is what it is. */
  #bodyBegun(): string {
    const { memory } = this.cells;
    const text = (textOf(memory, cellOf(this.#body, memory.size)) ?? '').slice(0, MAX_BODY_CHARS);
    const { markup, isOurExport } = this.#options.context;
    const mayHoldEntities = this.#options.forms[this.#body] !== 'html' && isOurExport !== true && text.includes('&');
    return mayHoldEntities && markup !== undefined ? markup.withoutEntities(text) : text;
  }

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

/** Only the first characters of a content give a title. */
const MAX_BODY_CHARS = 4000;
/** The member of an object to which the first step of a path leads; none where the object lacks it. */
function steppedInto(names: readonly string[], { reader, path: [step, ...path] }: FedMember): readonly FedMember[] {
  const member = names.indexOf(String(step));
  return member === -1 ? [] : [{ member, reader, path }];
}
