import { findResource } from '../routing.js';
/** No dot segments, nothing that a URL parser would change; escapes may stand in a parameter or the query string. */
const PLAIN_TARGET = /^\/(?!.*\/\.)[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;
export const isPlainHost = (host) => host !== undefined && PLAIN_HOST.test(host);
export function createFastPath(api, table, onError) {
    function answer(target, asking) {
        const kept = api.fromCache(target, asking);
        if (kept !== null)
            return kept;
        if (!PLAIN_TARGET.test(target))
            return null;
        const mark = target.indexOf('?');
        const path = mark < 0 ? target : target.slice(0, mark);
        const resource = findResource(table, path);
        if (resource === null || resource.streamed)
            return null;
        const { method, fields, address } = asking;
        return api.page(resource, { method, fields, address, path, query: mark < 0 ? '' : target.slice(mark + 1) });
    }
    return (target, asking) => {
        try {
            return answer(target, asking);
        }
        catch (error) {
            onError(error, { method: asking.method, url: target });
            return api.failure;
        }
    };
}
