export * from './job.js'
export * from './point.js'
