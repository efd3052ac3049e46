export * from './create-cache-files.js'
