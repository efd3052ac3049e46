export * from './memory-database.js'
