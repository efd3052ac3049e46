import { allOf } from '@agent-service/kernel-core/database/collections'
import { databaseToken, type KernelDatabase, ownDatabaseToken } from '@agent-service/kernel-core/database/open'
import {
  bindingOf,
  type SealedField,
  type SealedFieldRecord,
  type SecretCipher,
  sealedFieldRecords,
  secretCipherToken,
} from '@agent-service/kernel-core/secrets'
import { defineError } from '@agent-service/sdk'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { type InjectionToken, inject, injectable } from 'tsyringe'

/** A plugin tried to seal or open a field that it did not declare. */
const sealedFieldUndeclaredError = defineError<{ readonly plugin: string; readonly collection: string; readonly field: string }>({
  code: 'sealed_field_undeclared',
  status: 500,
  title: 'Sealed field not declared',
  message: ({ plugin, collection, field }) =>
    `The plugin “${plugin}” has not declared the sealed field “${field}” of a collection “${collection}” of its own. List it in “sealed” of the collection's definition.`,
})

export const pluginSealedFieldsToken: InjectionToken<PluginSealedFields> = Symbol('plugin-sealed-fields')

@injectable()
export class PluginSealedFields {
  readonly #declared = new Map<string, ReadonlySet<string>>()

  constructor(
    @inject(ownDatabaseToken) private readonly database: Database,
    @inject(databaseToken) private readonly kernelDatabase: Pick<KernelDatabase, 'upkeep'>,
    @inject(secretCipherToken) private readonly cipher: SecretCipher,
  ) {}

  /** Stores the declarations of a plugin before it can seal anything. */
  async declare(pluginId: string, definitions: readonly CollectionDefinition[]): Promise<void> {
    const records = definitions.flatMap(({ name, sealed = [] }) =>
      sealed.map((field): SealedFieldRecord => ({ id: `${name}/${field}`, collection: name, field, plugin_id: pluginId })),
    )
    if (records.length > 0)
      await this.database.transaction(async (transaction) => {
        for (const record of records)
          if (!(await transaction.get(sealedFieldRecords, record.id))) transaction.insert(sealedFieldRecords, record)
      })
    this.#declared.set(pluginId, new Set(records.map(({ id }) => id)))
  }

  /** The service of one plugin: it seals and opens only the fields that the plugin has declared. */
  serviceOf(pluginId: string): SealedFields {
    const { cipher } = this
    const bindingFor = ({ collection: { name }, id, field }: Parameters<SealedFields['seal']>[1]) => {
      if (this.#declared.get(pluginId)?.has(`${name}/${field}`) !== true)
        throw sealedFieldUndeclaredError.create({ plugin: pluginId, collection: name, field })
      return bindingOf(name, id, field)
    }
    return Object.freeze<SealedFields>({
      seal: async (text, place) => cipher.seal(Buffer.from(text, 'utf8'), bindingFor(place)),
      open: async (sealed, place) => Buffer.from(await cipher.open(sealed, bindingFor(place))).toString('utf8'),
    })
  }

  /** All fields that were ever declared, also by plugins that do not run. */
  async all(): Promise<readonly SealedField[]> {
    const fields: SealedField[] = []
    for await (const record of allOf(this.database.collection(sealedFieldRecords), { index: 'by_collection' }))
      fields.push(storedSealedField(this.kernelDatabase.upkeep, record))
    return fields
  }
}

/** A sealed field of any stored collection, whether or not its owner runs. */
const storedSealedField = (
  upkeep: KernelDatabase['upkeep'],
  { collection, field }: Pick<SealedField, 'collection' | 'field'>,
): SealedField => ({
  collection,
  field,
  async *texts(signal) {
    for await (const document of upkeep.documents(collection, { signal })) {
      const sealed = document[field]
      if (typeof sealed === 'string') yield { id: String(document['id']), sealed }
    }
  },
  replace: (id, from, to) => upkeep.replaceText({ collection, id, field }, from, to),
})
