export * from './lowdb-state-documents.js'
export * from './state-documents.js'
