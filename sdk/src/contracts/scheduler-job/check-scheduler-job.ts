import { aFunction, aLine, aName, aNumber, anObject, aText, checkMembers, type MemberRule, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import type { CalendarSchedule } from '../../kits/schedule/calendar-schedule.js'
import { checkSchedule } from '../../kits/schedule/next-time.js'
import type { SchedulerJob } from './job.js'

const scheduleMembers = anObject({ required: { cron: aText({ maxLength: 1_000 }) }, optional: { timezone: aLine(100) } })

const aSchedule: MemberRule = (value, path) => {
  const problems = scheduleMembers(value, path)
  if (problems.length > 0) return problems
  return checkSchedule(value as CalendarSchedule).map((problem) => ({ ...problem, path: `${path}${problem.path}` }))
}

/** Everything that is wrong with a job, each with a JSON pointer. Empty when it can be scheduled. Never throws. */
export function checkSchedulerJob(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aName(/^(?=.{3,160}$)[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/, '<plugin>.<what> in lower case, such as agents.prune-events'),
      title: aLine(200),
      run: aFunction,
    },
    optional: { everySeconds: aNumber({ min: 1 }), schedule: aSchedule, timeoutSeconds: aNumber({ above: 0 }) },
  })
  return problems.length > 0 ? problems : checkTimes(contribution as SchedulerJob)
}

function checkTimes({ everySeconds, schedule }: SchedulerJob): readonly Problem[] {
  if (everySeconds === undefined && schedule === undefined)
    return [{ path: '/everySeconds', message: 'is required, or “schedule” in its place' }]
  return everySeconds !== undefined && schedule !== undefined
    ? [{ path: '/schedule', message: 'must be absent beside everySeconds: a job has one of them' }]
    : []
}
