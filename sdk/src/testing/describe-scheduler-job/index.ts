export { describeSchedulerJob } from './describe-scheduler-job.js'
export type { JobWithState, SchedulerJobSuiteOptions } from './suite-options.js'
