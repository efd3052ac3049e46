/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object. Members that are absent are left out, never `undefined`. */
export interface JsonObject {
  /** Any member, by name. The order of members has no meaning. */
  readonly [key: string]: JsonValue
}
