import type { ContributionDefinition } from '../../core/contribution-point.js'
import { titleOf } from '../../core/title-of.js'
import type { SchedulerJob } from './job.js'

/**
 * Makes a job. `title` defaults to the id in words, `agents.prune-events` as `Agents prune events`.
 *
 * @example
 * defineJob({
 *   id: 'feature-visits.prune',
 *   schedule: { cron: '0 3 * * *', timezone: 'Europe/Vienna' },
 *   async run({ signal }) {
 *     signal.throwIfAborted()
 *     context.log.info('Old visits were deleted.')
 *   },
 * })
 */
export function defineJob(definition: ContributionDefinition<SchedulerJob, 'title'>): SchedulerJob {
  return Object.freeze({ title: titleOf(definition.id), ...definition, specVersion: 1 })
}
