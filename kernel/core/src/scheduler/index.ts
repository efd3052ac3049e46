export * from './errors.js'
export type { JobReport } from './scheduled-job.js'
export { KernelScheduler, type Scheduler, schedulerToken } from './scheduler.js'
