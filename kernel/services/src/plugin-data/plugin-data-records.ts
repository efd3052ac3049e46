import type { JsonObject } from '@agent-service/sdk'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** What a plugin keeps, as it was declared when the plugin last ran. */
export interface PluginDataRecord {
  /** The plugin's id. */
  readonly id: string
  readonly version: string
  readonly third_party: boolean
  /** All that it ever declared and that is stored. */
  readonly collections: readonly {
    readonly name: string
    /** The member that holds the id of the user; null if its documents are not of users. */
    readonly user_field: string | null
    /** Members with sealed texts, which nothing but the plugin opens. */
    readonly sealed: readonly string[]
  }[]
  /** Its folders below a user's folder. */
  readonly subsystems: readonly string[]
}

export const pluginDataRecords = defineCollection<PluginDataRecord>()({
  name: 'kernel.plugin_data',
  version: 1,
  indexes: { by_id: { fields: ['id'] } },
})

/** What an administrator decided about the data of a plugin that does not run. */
export interface PluginDataDecision {
  /** The plugin's id. */
  readonly id: string
  /** `keep`: no reminders. `delete`: the deletion has begun and goes on until nothing is left. */
  readonly decision: 'keep' | 'delete'
  readonly at: string
  /** What the deletion removes: collections with the number of their documents at its begin. */
  readonly collections: readonly { readonly name: string; readonly documents: number }[]
  /** The folders of users that it removes. */
  readonly folders: readonly string[]
  /** Only these collections, which the version that ran had left behind; the rest of the plugin's data stays. */
  readonly left_behind?: true
}

export const pluginDataDecisions = defineCollection<PluginDataDecision>()({
  name: 'kernel.plugin_data_decisions',
  version: 1,
  indexes: { by_decision: { fields: ['decision', 'id'] } },
})

/** Which plugin has taken over an id that no installed plugin has. */
export interface PluginSuccession {
  /** The old id. */
  readonly id: string
  readonly plugin_id: string
  readonly at: string
}

export const pluginSuccessions = defineCollection<PluginSuccession>()({
  name: 'kernel.plugin_successions',
  version: 1,
  indexes: { by_plugin: { fields: ['plugin_id', 'id'] } },
})

/** An operation of the API that shows what a collection has. */
export interface ShownOperation {
  readonly operation_id: string
  /** What policies see of it. */
  readonly attributes: JsonObject
}

export interface ShownOperationsRecord {
  /** The collection's name. */
  readonly id: string
  readonly operations: readonly ShownOperation[]
}

export const shownOperationRecords = defineCollection<ShownOperationsRecord>()({
  name: 'kernel.shown_operations',
  version: 1,
  indexes: { by_id: { fields: ['id'] } },
})

/** The collections of this module, for `database.openFor('kernel', …)`. */
export const pluginDataCollections: readonly CollectionDefinition[] = Object.freeze([
  pluginDataRecords,
  pluginDataDecisions,
  pluginSuccessions,
  shownOperationRecords,
])
