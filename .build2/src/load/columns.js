import { nameKey } from './names.js';
import { pathText, valueAt } from './paths.js';
export function createRank(model, mapping) {
    const ranks = new Map(model.fields.map((field) => [field.name, fieldRanks(field)]));
    // A name is asked about for one field after the other.
    let asked = '';
    let key = '';
    return (field, name) => {
        const mapped = mapping.get(name);
        if (mapped !== undefined)
            return mapped === field.name ? 0 : undefined;
        if (name === field.name)
            return 1;
        if (name !== asked) {
            asked = name;
            key = nameKey(name);
        }
        return ranks.get(field.name)?.get(key);
    };
}
function fieldRanks({ name, aliases = [] }) {
    const ranks = new Map();
    for (const [i, alias] of [name, ...aliases].entries())
        if (!ranks.has(nameKey(alias)))
            ranks.set(nameKey(alias), i + 2);
    return ranks;
}
export function findColumns({ model, rank, parts, sources }, names) {
    const passedOver = [];
    const fitting = fittingNames(model, rank, names);
    const found = model.fields.map((_, row) => {
        const fit = fitting[row];
        const named = fit.reduce((best, next) => (best && best.rank <= next.rank ? best : next), undefined);
        const there = sources[row].filter(({ top }) => names.includes(top));
        const nested = there.find((source) => named === undefined || source.rank < named.rank);
        const position = nested ? names.indexOf(nested.top) : (named?.position ?? -1);
        for (const { position: at } of fit)
            if (nested || at !== position)
                passedOver.push([row, names[at] ?? '']);
        const rivals = fit.length + there.length;
        const name = names[position] ?? '';
        const path = nested ? nested.path : (parts[row]?.get(name) ?? NO_PATH);
        return { position, path, hasRival: rivals > 1, source: nested ? nested.text : pathText([name, ...path]) };
    });
    return {
        names,
        positions: found.map(({ position }) => position),
        paths: found.map(({ path }) => path),
        areLists: model.fields.map(({ kind }) => kind === 'tags'),
        sources: found.map(({ source }) => source),
        spare: names.map((_, i) => !found.some(({ position, path }) => position === i && path.length === 0)),
        rivals: found.map(({ hasRival }) => hasRival),
        passedOver,
        records: 0,
        absent: names.map(() => 0),
    };
}
/** For each field the names that fit it, in their order. */
function fittingNames({ fields }, rank, names) {
    const fitting = fields.map(() => []);
    for (const [position, name] of names.entries())
        for (const [row, field] of fields.entries()) {
            const found = rank(field, name);
            if (found !== undefined)
                fitting[row].push({ position, rank: found });
        }
    return fitting;
}
const NO_PATH = [];
/** A field's value in the cell that feeds it. */
export function valueIn({ paths, areLists }, field, cell) {
    const path = paths[field];
    return path.length === 0 ? cell : valueAt(cell, path, areLists[field]);
}
/** Forgets what it knows past this many orders of names, so that dumps with ever new names need no more memory. */
const MAX_KNOWN = 1000;
export function createColumnFinder(plan, onForget) {
    const known = new Map();
    let last = findColumns(plan, []);
    return {
        find(names) {
            if (sameNames(last.names, names))
                return last;
            const key = names.join('\u0000');
            const found = known.get(key);
            if (found) {
                last = found;
                return found;
            }
            if (known.size === MAX_KNOWN) {
                for (const columns of known.values())
                    onForget(columns);
                known.clear();
            }
            last = findColumns(plan, names);
            known.set(key, last);
            return last;
        },
        known: () => known.values(),
    };
}
function sameNames(a, b) {
    if (a === b)
        return true;
    if (a.length !== b.length)
        return false;
    for (let i = 0; i < a.length; i++)
        if (a[i] !== b[i])
            return false;
    return true;
}
