export * from './check.js'
export * from './check-doctor-check.js'
export * from './define-doctor-check.js'
export * from './point.js'
