/** The parts of an OpenAPI 3.1 document that this server writes. */
import type { JsonSchema, Reference } from './json-schema.js';

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** By media type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: OpenApiContent;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  /** By status. */
  readonly responses: Readonly<Record<string, OpenApiResponse | Reference>>;
}
