export * from './memory-backend.js'
export * from './memory-record.js'
export * from './point.js'
