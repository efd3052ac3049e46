export * from './grants.js'
export * from './installed-plugins.js'
