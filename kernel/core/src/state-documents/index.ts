export * from './state-documents.js'
