export * from './point.js'
export * from './user-data.js'
