export * from './check-run-hook.js'
export * from './define-run-hook.js'
export * from './point.js'
export * from './run-hook.js'
