import { ownSealedField, type SealedField } from '@agent-service/kernel-core/secrets'
import { type CollectionDefinition, type Database, documentsOf } from '@agent-service/sdk/services/database'
import { allRecords } from './keys/signing-keys.js'
import { authSettings, signingKeys, userErasures } from './records/records.js'

/** The sealed fields of accounts. */
export const sealedAuthFields = (database: Database): readonly SealedField[] => [
  ownSealedField(database, {
    collection: signingKeys as CollectionDefinition,
    field: 'private_sealed',
    async *ids() {
      for (const { id } of await allRecords(database)) yield id
    },
  }),
  ownSealedField(database, {
    collection: userErasures as CollectionDefinition,
    field: 'names_sealed',
    async *ids() {
      for await (const { id } of documentsOf(database, userErasures, { index: 'by_request', equals: [] })) yield id
    },
  }),
  ownSealedField(database, {
    collection: authSettings as CollectionDefinition,
    field: 'value',
    async *ids() {
      yield 'refresh-key'
    },
  }),
]
