export { describeSchedulerJob, type SchedulerJobSuiteOptions } from './describe-scheduler-job.js'
