import { type CollectionDefinition, type Database, defineCollection } from '@agent-service/sdk/services/database'
import { allOf } from '../database/collections/page-by-page.js'

/**
 * A key that encrypts stored secrets, wrapped under the encryption secret; or the value that
 * verifies the encryption secret.
 */
export interface DataKeyRecord {
  readonly id: string
  readonly kind: 'data_key' | 'key_check'
  /**
   * `active` keys seal and open (the newest one seals); `retired` keys only open, until nothing is
   * sealed under them.
   */
  readonly state: 'active' | 'retired'
  readonly wrapped: string
  readonly created_at: string
  readonly retired_at: string | null
  /** How many secrets may have been sealed under it, counted in advance in blocks. */
  readonly uses: number
}

export const dataKeys = defineCollection<DataKeyRecord>()({
  name: 'kernel.data_keys',
  version: 2,
  indexes: { by_kind: { fields: ['kind', 'created_at'] } },
  migrations: [
    {
      to: 2,
      description: 'Data keys get a count of their uses and the time of their retirement.',
      migrate: (key) => ({ ...key, retired_at: null, uses: 0 }),
    },
  ],
})

/**
 * The record that verifies the encryption secret. Every change of the keys writes it, so that two
 * changes conflict.
 */
export const checkId = 'key-check'
export const checkText = 'agent-service key check'

/** The data keys in the order of their creation. */
export const storedDataKeys = (database: Database): AsyncIterable<DataKeyRecord> =>
  allOf(database.collection(dataKeys), { index: 'by_kind', equals: ['data_key'] })

/**
 * A field that a plugin has declared as sealed. Kept permanently: its texts remain when the plugin
 * is removed.
 */
export interface SealedFieldRecord {
  /** `<collection>/<field>`. */
  readonly id: string
  readonly collection: string
  readonly field: string
  /** The plugin that declared it first. */
  readonly plugin_id: string
}

/**
 * The sealed fields of all plugins, so that a key is never removed while a text of a switched-off
 * plugin needs it.
 */
export const sealedFieldRecords = defineCollection<SealedFieldRecord>()({
  name: 'kernel.sealed_fields',
  version: 1,
  indexes: { by_collection: { fields: ['collection', 'field'] } },
})

/** The collections of the secrets module, for `database.openFor('kernel', …)`. */
export const secretsCollections: readonly CollectionDefinition[] = Object.freeze([dataKeys, sealedFieldRecords])
