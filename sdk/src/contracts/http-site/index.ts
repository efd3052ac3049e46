export * from './point.js'
export * from './site.js'
