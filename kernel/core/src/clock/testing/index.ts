export * from './controlled-clock.js'
