export * from './check-cli-command.js'
export * from './command.js'
export * from './define-command.js'
export * from './point.js'
