import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'

/**
 * The database's own documents: the progress of migrations, and the probe that checks whether there
 * is space again.
 */
export const internalCollectionName = 'kernel.database'

export const internalCollectionLayout: CollectionLayout = Object.freeze({ name: internalCollectionName, version: 1, indexes: [] })
