export type { AbsentPart, ExportSources } from './account-export.js'
export { createExportRoute } from './export-route.js'
export { createUserDataRoute } from './user-data-route.js'
export { createUserDataSizes } from './user-data-sizes.js'
