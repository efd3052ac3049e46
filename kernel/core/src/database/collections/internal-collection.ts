import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'

/** The database's own documents: how far a migration has come, and the probe that finds out whether there is room again. */
export const internalCollectionName = 'kernel.database'

export const internalCollectionLayout: CollectionLayout = Object.freeze({ name: internalCollectionName, version: 1, indexes: [] })
