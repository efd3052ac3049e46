export { type ApiDocument, createApiDocument } from './api-document.js'
export { type ApiTexts, describeApi } from './describe-api.js'
export { claimEventNames, createSchemaNames, type SchemaNames, schemaPrefixOf } from './schema-names.js'
