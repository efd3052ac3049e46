export * from './command.js'
export * from './point.js'
