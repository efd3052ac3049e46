export { createStateDocuments } from './lowdb-state-documents.js'
