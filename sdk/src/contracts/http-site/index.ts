export * from './check-http-site.js'
export * from './define-site.js'
export * from './point.js'
export * from './site.js'
