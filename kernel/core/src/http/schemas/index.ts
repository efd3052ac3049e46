export * from './operation-names.js'
export { claimEventNames, createSchemaNames, describesStructure, isJsonObject, type SchemaNames, schemaPrefixOf } from './schema-names.js'
