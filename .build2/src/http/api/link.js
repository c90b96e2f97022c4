/**
 * A long search text would stand in the header several times, and clients and proxies refuse headers beyond some 8 to
 * 16 kB: past this many bytes the header is left out.
 */
const MAX_BYTES = 4096;
/** First, previous, next and last page, each where it exists, and the view as files; null where that is too long. */
export function pageLinks(view, { page, limit }, total) {
    let others = `<${view.path}?`;
    let exported = `<${view.exportPath}?${view.exportPair === '' ? '' : `${view.exportPair}&`}`;
    for (const pair of view.query.split('&')) {
        if (pair === '' || isNamed(pair, 'page'))
            continue;
        others += `${pair}&`;
        if (!isNamed(pair, 'limit'))
            exported += `${pair}&`;
    }
    const last = Math.max(1, Math.ceil(total / limit));
    let links = `${others}page=1>; rel="first"`;
    if (page > 1)
        links += `, ${others}page=${Math.min(page - 1, last)}>; rel="prev"`;
    if (page < last)
        links += `, ${others}page=${page + 1}>; rel="next"`;
    links += `, ${others}page=${last}>; rel="last"`;
    links += `, ${exported}format=json>; rel="alternate"; type="application/json"`;
    links += `, ${exported}format=csv>; rel="alternate"; type="text/csv"`;
    return links.length > MAX_BYTES ? null : links;
}
const isNamed = (pair, name) => pair.startsWith(name) && (pair.length === name.length || pair[name.length] === '=');
