export async function planIds(files, surveyor) {
    const byPosition = new Set();
    for (const source of files) {
        const first = await surveyor.firstRecordHasId(source);
        const has = first === false ? await surveyor.anyRecordHasId(source) : first;
        if (typeof has !== 'boolean')
            return has;
        if (!has)
            byPosition.add(source);
    }
    let largest = 0;
    for (const source of byPosition.size > 0 ? files : []) {
        if (byPosition.has(source))
            continue;
        const found = await surveyor.largestId(source);
        if (typeof found !== 'number')
            return found;
        largest = Math.max(largest, found);
    }
    return { byPosition, largest };
}
