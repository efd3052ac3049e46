export * from './installed-plugins.js'
export * from './installed-plugins.js'
