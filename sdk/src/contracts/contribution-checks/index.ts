export * from './contribution-checks.js'
