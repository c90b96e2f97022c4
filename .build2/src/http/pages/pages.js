/**
 * The browse pages as resources: home, a list and a record page for every collection of the model, pictures, assets. They
 * parse their parameters themselves, since their errors are pages too.
 */
import { notFound } from '../../errors.js';
import { collectionOf, collections } from '../../model.js';
import { didYouMean } from '../../query/nearest.js';
import { idParameter } from '../../query/parameters.js';
import { rowOfId } from '../../store/ids.js';
import { quote } from '../../text.js';
import { comparedCollection, comparisonKey } from '../api/changes.js';
import { changesPage } from './changes/page.js';
import { changesPath, createChangesParser } from './changes/view.js';
import { createShapes } from './counting/shape.js';
import { address } from './frame/address.js';
import { createAssets } from './frame/assets.js';
import { createDocument, PAGE_TYPE, pageHeaders } from './frame/document.js';
import { createErrorPage } from './frame/errors.js';
import { homePage } from './home/home.js';
import { listPage } from './list/page.js';
import { createViewParser, soundPairs } from './list/view.js';
import { imageResources } from './record/image.js';
import { recordPage } from './record/page.js';
/** A longer link to the rest of a faulty address is left out: no error page is larger than 8 kB. */
const MAX_LINK_LENGTH = 512;
const home = { address: '/', label: 'See what is loaded' };
export function createPages({ served, maxLimit }) {
    const models = collections;
    const assets = createAssets();
    const documentOf = createDocument(assets, models);
    const errorPage = createErrorPage(documentOf);
    const shapes = createShapes();
    /** A page that is only rendered if it has to be sent. */
    const page = (key, render) => ({
        status: 200,
        type: PAGE_TYPE,
        key: `${assets.hash} ${key}`,
        render: () => ({ body: render(), headers: pageHeaders }),
    });
    const homeResource = {
        path: '/',
        pathParameter: null,
        parameters: null,
        handle() {
            const current = served();
            return page(current.loadedAt.toISOString(), () => homePage(current, models, shapes, documentOf));
        },
    };
    function listResource(model) {
        const parse = createViewParser(model, maxLimit);
        return {
            path: `/${model.name}`,
            pathParameter: null,
            parameters: null,
            handle({ dataset, path, query }) {
                const result = parse(dataset, path, query);
                if (result.kind !== 'view')
                    return refuse(model, path, query, result);
                return page(`${path}?${query}`, () => listPage(result.view, shapes, maxLimit, documentOf));
            },
        };
    }
    function changesResource(model) {
        const parse = createChangesParser(model, maxLimit);
        return {
            path: changesPath(model),
            pathParameter: null,
            parameters: null,
            handle({ dataset, path, query }) {
                const result = parse(dataset, path, query);
                if (result.kind !== 'view')
                    return refuse(model, path, query, result);
                const key = comparisonKey(comparedCollection(dataset, model));
                return page(`${path}?${query} ${key}`, () => changesPage(result.view, maxLimit, documentOf));
            },
        };
    }
    function recordResource(model) {
        const parse = createViewParser(model, maxLimit);
        return {
            path: `/${model.name}/:id`,
            pathParameter: idParameter,
            parameters: null,
            handle({ dataset, path, query }) {
                const id = idIn(path);
                const row = id === null ? -1 : rowOfId(collectionOf(dataset.collections, model.name).ids, id);
                if (row < 0)
                    return errorPage(noRecord(model, path), model.name, [allOf(model), home]);
                const result = parse(dataset, path, query);
                if (result.kind !== 'view')
                    return refuse(model, path, query, result);
                const compared = comparedCollection(dataset, model);
                return page(`${path}?${query} ${comparisonKey(compared)}`, () => recordPage(result.view, row, compared.comparison, shapes, documentOf));
            },
        };
    }
    function refuse(model, path, query, result) {
        if (result.kind === 'elsewhere')
            return { status: 303, type: '', body: null, headers: { Location: result.address } };
        const sound = address(path, soundPairs(query, result.faulty));
        const without = { address: sound, label: 'The same without it' };
        const ways = [...(sound.length <= MAX_LINK_LENGTH ? [without] : []), allOf(model), home];
        return errorPage(result.error, model.name, ways);
    }
    return {
        resources: [
            homeResource,
            ...models.flatMap((model) => [
                listResource(model),
                changesResource(model),
                recordResource(model),
                ...imageResources(model),
            ]),
            ...assets.resources,
        ],
        documentOf,
        nothingAt(path, paths) {
            const error = notFound(`There is no page at ${quote(path)}.${didYouMean(path, paths)}`);
            return errorPage(error, null, [home, ...models.map(allOf)]);
        },
    };
}
const allOf = ({ name }) => ({ address: `/${name}`, label: `All ${name}` });
const idIn = (path) => {
    const segment = path.slice(path.lastIndexOf('/') + 1);
    return /^-?\d+$/.test(segment) ? Number(segment) : null;
};
function noRecord({ singular }, path) {
    const id = path.slice(path.lastIndexOf('/') + 1);
    return notFound(`${singular} with id ${id.slice(0, 60)} not found.`);
}
