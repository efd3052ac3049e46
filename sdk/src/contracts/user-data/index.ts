export * from './check-user-data.js'
export * from './define-user-data.js'
export * from './point.js'
export * from './user-data.js'
