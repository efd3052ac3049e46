export * from './point.js'
export * from './run-hook.js'
