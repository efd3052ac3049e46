export * from './check-scheduler-job.js'
export * from './define-job.js'
export * from './job.js'
export * from './point.js'
