export * from './errors.js'
export * from './point.js'
export * from './route.js'
