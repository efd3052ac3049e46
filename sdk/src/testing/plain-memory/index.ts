export * from './plain-memory.js'
