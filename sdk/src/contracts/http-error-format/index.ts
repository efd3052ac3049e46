export * from './check-error-format.js'
export * from './define-error-format.js'
export * from './error-format.js'
export * from './point.js'
