import { ownSealedField, type SealedField } from '@agent-service/kernel-core/secrets'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { allRecords } from './keys/signing-keys.js'
import { authSettings, signingKeys } from './records/records.js'

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
    collection: authSettings as CollectionDefinition,
    field: 'value',
    async *ids() {
      yield 'refresh-key'
    },
  }),
]
