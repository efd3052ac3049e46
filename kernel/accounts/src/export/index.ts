export type { AbsentPart, ExportSources } from './account-export.js'
export { createExportRoute } from './export-route.js'
