/** What a request asks of a collection, as plain data: parsed once at the edge, never checked again inside. */
export {};
