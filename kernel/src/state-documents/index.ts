export * from './create-state-documents.js'
export * from './errors.js'
export type * from './state-documents.js'
