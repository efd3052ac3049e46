export * from './controlled-clock.js'
export * from './system-clock.js'
