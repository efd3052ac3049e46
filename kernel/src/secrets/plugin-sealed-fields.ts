import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import type { Upkeep } from '../database/collections/upkeep.js'
import { bindingOf, type SealedField, storedSealedField } from './sealed-field.js'
import { type SealedFieldRecord, sealedFieldRecords } from './sealed-field-records.js'
import type { SecretCipher } from './secret-cipher.js'
import { sealedFieldUndeclaredError } from './secret-errors.js'

/** The sealed members of plugins. */
export interface PluginSealedFields {
  /** Notes what a plugin declares, before the plugin can seal anything. */
  declare(pluginId: string, definitions: readonly CollectionDefinition[]): Promise<void>
  /** The service of one plugin: it seals and opens at the places that it declared, and at no other. */
  serviceOf(pluginId: string): SealedFields
  /** All that were ever declared, also by plugins that do not run. */
  all(): Promise<readonly SealedField[]>
}

/** Makes it. */
export function createPluginSealedFields(dependencies: {
  readonly database: Database
  readonly upkeep: Upkeep
  readonly cipher: SecretCipher
}): PluginSealedFields {
  const { database, upkeep, cipher } = dependencies
  const declared = new Map<string, ReadonlySet<string>>()

  return Object.freeze<PluginSealedFields>({
    async declare(pluginId, definitions) {
      const records = definitions.flatMap(({ name, sealed = [] }) =>
        sealed.map((field): SealedFieldRecord => ({ id: `${name}/${field}`, collection: name, field, plugin_id: pluginId })),
      )
      if (records.length > 0)
        await database.transaction(async (transaction) => {
          for (const record of records)
            if (!(await transaction.get(sealedFieldRecords, record.id))) transaction.insert(sealedFieldRecords, record)
        })
      declared.set(pluginId, new Set(records.map(({ id }) => id)))
    },
    serviceOf(pluginId) {
      const bindingFor = ({ collection: { name }, id, field }: Parameters<SealedFields['seal']>[1]) => {
        if (declared.get(pluginId)?.has(`${name}/${field}`) !== true)
          throw sealedFieldUndeclaredError.create({ plugin: pluginId, collection: name, field })
        return bindingOf(name, id, field)
      }
      return Object.freeze<SealedFields>({
        seal: async (text, place) => cipher.seal(Buffer.from(text, 'utf8'), bindingFor(place)),
        open: async (sealed, place) => Buffer.from(await cipher.open(sealed, bindingFor(place))).toString('utf8'),
      })
    },
    async all() {
      const fields: SealedField[] = []
      let cursor: string | undefined
      do {
        const page = await database
          .collection(sealedFieldRecords)
          .query({ index: 'by_collection', limit: 200, ...(cursor !== undefined && { cursor }) })
        fields.push(...page.items.map((record) => storedSealedField(upkeep, record)))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return fields
    },
  })
}
