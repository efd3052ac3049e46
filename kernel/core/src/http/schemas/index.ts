export * from './schema-names.js'
