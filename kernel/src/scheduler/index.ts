export * from './errors.js'
export type { JobReport } from './scheduled-job.js'
export { createScheduler, type Scheduler } from './scheduler.js'
