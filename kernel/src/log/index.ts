export * from './create-log.js'
export * from './create-redactor.js'
export * from './redact-error.js'
export * from './redactor.js'
