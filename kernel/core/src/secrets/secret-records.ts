import { type CollectionDefinition, type Database, defineCollection } from '@agent-service/sdk/services/database'
import { allOf } from '../database/collections/all-of.js'

/** A key that encrypts stored secrets, wrapped by the key that the encryption secret gives; or the value that tells whether that key is the right one. */
export interface DataKeyRecord {
  readonly id: string
  readonly kind: 'data_key' | 'key_check'
  /** `active` seals and opens, the newest of them counts; `retired` opens until nothing is sealed under it any more. */
  readonly state: 'active' | 'retired'
  readonly wrapped: string
  readonly created_at: string
  readonly retired_at: string | null
  /** How many secrets may have been sealed under it, counted ahead in blocks. */
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

/** The record that tells whether the encryption secret is the right one. Every change of the keys writes it, so that two changes cannot cross. */
export const checkId = 'key-check'
export const checkText = 'agent-service key check'

/** The data keys in the order of their making. */
export const storedDataKeys = (database: Database): AsyncIterable<DataKeyRecord> =>
  allOf(database.collection(dataKeys), { index: 'by_kind', equals: ['data_key'] })

/** A member that a plugin has declared as sealed, once. Kept for good: its texts stay when the plugin does not. */
export interface SealedFieldRecord {
  /** `<collection>/<field>`. */
  readonly id: string
  readonly collection: string
  readonly field: string
  /** The plugin that declared it first. */
  readonly plugin_id: string
}

/** Where all plugins keep sealed texts, so that a key is never removed while the text of a plugin that is switched off needs it. */
export const sealedFieldRecords = defineCollection<SealedFieldRecord>()({
  name: 'kernel.sealed_fields',
  version: 1,
  indexes: { by_collection: { fields: ['collection', 'field'] } },
})

/** The collections of the secrets module, for `database.openFor('kernel', …)`. */
export const secretsCollections: readonly CollectionDefinition[] = Object.freeze([dataKeys, sealedFieldRecords])
