export * from './kernel-sections.js'
