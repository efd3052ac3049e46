import { defineContributionPoint } from '../../core/contribution-point.js'
import type { SchedulerJob } from './job.js'

/** Recurring work. */
export const schedulerJobs = defineContributionPoint<SchedulerJob>()({
  id: 'scheduler.job',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (job) => job.id,
})
