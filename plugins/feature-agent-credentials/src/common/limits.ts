/** What one user may have. */
export const maxCredentials = 200
export const maxVaults = 20
export const maxGrants = 500

/** Fields of one local credential. */
export const maxFields = 32
export const maxValueCharacters = 65_536
export const maxValuesBytes = 262_144

/** What is stored of the items of one connection, and how they lie in documents. */
export const maxStoredItems = 2_000
export const itemsPerDocument = 100
export const maxStoredFieldNames = 30

/** What one read of an item may have. */
export const maxItemFields = 200

/** What one opening may name, and what it may give. */
export const maxNames = 20
export const maxOpenedFields = 400
export const maxOpenedBytes = 1_048_576

/** How long entries of the access log are kept, and how many of one user. */
export const maxLogDays = 90
export const maxLogEntries = 10_000

/** The longest call of a connector, and the longest synchronisation. */
export const connectorCallMs = 30_000
export const syncMs = 120_000

/** The size of a vault's file. */
export const maxFileBytes = 64 * 1024 * 1024
