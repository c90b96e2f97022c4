/**
 * What a page shows: the parameters of the API, parsed as the API parses them, and one more for the layout. Forms
 * also send the fields that were left empty; such an address is not parsed but cleaned, so that the one in the address
 * bar is always the API's.
 */
import * as v from 'valibot';
import { collectionOf } from '../../../model.js';
import { fieldsParameter, filterParameters, limitParameter, optionalTextParameter, orderParameter, pageParameter, sortParameter, } from '../../../query/parameters.js';
import { parseParameters } from '../../../query/parse.js';
import { fieldsOf, pagingOf, queryOf, textOf } from '../../../query/request.js';
import { address } from '../frame/address.js';
const layouts = ['table', 'grid'];
const layoutParameter = {
    name: 'view',
    description: 'layout of the list, table if not given',
    expected: `one of ${layouts.join(', ')}`,
    schema: v.picklist(layouts),
};
export const viewParameters = (model, maxLimit) => [
    optionalTextParameter,
    pageParameter,
    limitParameter(maxLimit),
    sortParameter(model),
    orderParameter,
    ...filterParameters(model),
    fieldsParameter(model),
    layoutParameter,
];
/** The parser of a collection's views. */
export function createViewParser(model, maxLimit) {
    const parameters = viewParameters(model, maxLimit);
    return (dataset, path, queryString) => {
        const parsed = parseParameters(withoutBlanks(queryString), parameters, null);
        if (!parsed.ok)
            return { kind: 'fault', error: parsed.error, faulty: parsed.faulty };
        const given = [...new URLSearchParams(queryString)];
        const pairs = given.filter(([, value]) => value.trim() !== '');
        if (pairs.length < given.length)
            return { kind: 'elsewhere', address: address(path, pairs) };
        const { values } = parsed;
        const view = {
            model,
            collection: collectionOf(dataset.collections, model.name),
            query: queryOf(model, values),
            paging: pagingOf(values),
            layout: textOf(values, 'view') === 'grid' ? 'grid' : 'table',
            fields: fieldsOf(model, values),
            pairs,
        };
        return { kind: 'view', view };
    };
}
export const withoutBlanks = (query) => query
    .split('&')
    .filter((pair) => !/^[^=]*=(?:\+|%20)*$/i.test(pair))
    .join('&');
/** The parameters that can stay when the faulty ones are taken out. */
export const soundPairs = (queryString, faulty) => [...new URLSearchParams(queryString)].filter(([name, value]) => value.trim() !== '' && !faulty.has(name));
