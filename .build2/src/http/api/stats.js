export function statsJson(model, { count, fields }) {
    const served = [...fields].map(([name, stats]) => {
        const isDate = model.fields.find((field) => field.name === name)?.kind === 'date';
        return [name, isDate ? mapNumbers(stats, isoDate) : stats];
    });
    return { count, fields: Object.fromEntries(served) };
}
const isoDate = (timeMs) => new Date(timeMs).toISOString().replace('.000Z', 'Z');
const mapNumbers = ({ count, min, max, mean, histogram }, show) => ({
    count,
    min: min === null ? null : show(min),
    max: max === null ? null : show(max),
    mean: mean === null ? null : show(Math.round(mean)),
    histogram: histogram.map((bin) => ({ from: show(bin.from), to: show(bin.to), count: bin.count })),
});
