/** What `make` makes of an object, made once and kept for as long as the object lives. */
export function memoize(make) {
    const made = new WeakMap();
    return (key) => {
        const known = made.get(key);
        if (known !== undefined)
            return known.of;
        const of = make(key);
        made.set(key, { of });
        return of;
    };
}
