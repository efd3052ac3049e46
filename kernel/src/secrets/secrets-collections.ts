import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { dataKeys } from './data-key-records.js'
import { sealedFieldRecords } from './sealed-field-records.js'

/** The collections of the secrets module, for `database.openFor('kernel', …)`. */
export const secretsCollections: readonly CollectionDefinition[] = Object.freeze([dataKeys, sealedFieldRecords])
