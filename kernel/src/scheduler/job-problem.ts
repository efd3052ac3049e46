import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { checkSchedule } from '@agent-service/sdk/schedule'

/** Why a job cannot be scheduled, and how to mend it; `undefined` where it can. */
export function jobProblemOf(job: SchedulerJob): string | undefined {
  const { everySeconds, schedule, timeoutSeconds } = job
  if (everySeconds !== undefined && schedule !== undefined) return 'it has everySeconds and a schedule; leave one of them out'
  if (everySeconds === undefined && schedule === undefined) return 'it needs everySeconds, or a schedule such as { cron: “0 3 * * *” }'
  if (everySeconds !== undefined && !(everySeconds >= 1)) return `everySeconds must be at least 1, is ${everySeconds}`
  if (timeoutSeconds !== undefined && !(timeoutSeconds > 0)) return `timeoutSeconds must be above 0, is ${timeoutSeconds}`
  if (schedule === undefined) return undefined
  const problems = checkSchedule(schedule)
  return problems.length === 0 ? undefined : problems.map(({ path, message }) => `schedule${path}: ${message}`).join('; ')
}
