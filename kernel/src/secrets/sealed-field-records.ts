import { defineCollection } from '@agent-service/sdk/services/database'

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
