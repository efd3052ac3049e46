export type { JobReport } from './scheduled-job.js'
export { Scheduler, schedulerToken } from './scheduler.js'
