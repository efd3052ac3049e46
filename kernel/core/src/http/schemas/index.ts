export * from './operation-names.js'
export {
  constantOf,
  describesStructure,
  discriminatorOf,
  inPlainWords,
  isJsonObject,
  referredName,
  schemaReference,
} from './schema-json.js'
export { claimEventNames, createSchemaNames, type SchemaNames, schemaPrefixOf } from './schema-names.js'
