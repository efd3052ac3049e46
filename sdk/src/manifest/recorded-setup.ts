import type { JsonObject, JsonValue } from '../core/json.js'

/** A contribution as far as it is data. */
export interface RecordedContribution {
  /** The id of its point. */
  readonly point: string
  /**
   * Its members that are no functions. The folder of a screen is relative to `plugin.json`; of the errors of a
   * route there are code and status.
   */
  readonly data: JsonObject
  /** The names of its functions, sorted. What each returns may come at a later time: a promise, or a stream. */
  readonly functions: readonly string[]
}

/** A collection of documents, as far as contributions refer to it. */
export interface RecordedCollection {
  /** Its name in the database. */
  readonly name: string
  /** The member of its documents that holds their user; absent if they are of no user. */
  readonly userField?: string
}

/**
 * What `setup` contributed when the plugin was built, with the settings that it had. The host makes it
 * visible without the plugin's code, which it loads when one of the functions is called for the first time.
 */
export interface RecordedSetup {
  /** The value of `context.config`. With other settings the plugin starts with the service. */
  readonly settings: JsonValue
  /** The plugin's collections; `userField` names the member with the user of a document. */
  readonly collections: readonly RecordedCollection[]
  /** In the order of the calls. */
  readonly contributions: readonly RecordedContribution[]
}
