export * from './create-resources.js'
