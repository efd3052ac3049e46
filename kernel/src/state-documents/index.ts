export * from './create-state-documents.js'
export * from './errors.js'
export type * from './state-documents.js'
export type * from './state-file-system.js'
