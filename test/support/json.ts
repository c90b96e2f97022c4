/** Looking into JSON whose shape is not known. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value behind these keys, or undefined. */
export const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), value);
