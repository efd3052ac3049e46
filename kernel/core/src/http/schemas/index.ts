export { claimEventNames, createSchemaNames, type SchemaNames, schemaPrefixOf } from './schema-names.js'
