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
    /** The member that holds the id of the user; null if its documents belong to nobody. */
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

/** The collections of this module, for `database.openFor('kernel', …)`. */
export const pluginDataCollections: readonly CollectionDefinition[] = Object.freeze([pluginDataRecords])
