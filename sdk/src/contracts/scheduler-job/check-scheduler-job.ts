import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { checkSchedule } from '../../kits/schedule/next-time.js'
import { aFunction, aLine, aName, aText, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { SchedulerJob } from './job.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aName(/^(?=.{3,160}$)[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/, '<plugin>.<what> in lower case, such as agents.prune-events'),
  title: aLine(200),
  everySeconds: Type.Optional(Type.Number({ minimum: 1 })),
  schedule: Type.Optional(Type.Object({ cron: aText({ maxLength: 1_000 }), timezone: Type.Optional(aLine(100)) })),
  timeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  run: aFunction,
})

/**
 * Everything that is wrong with a job, each with a JSON pointer. Empty when it can be scheduled.
 * Never throws.
 */
export function checkSchedulerJob(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkTimes(contribution as SchedulerJob)
}

function checkTimes({ everySeconds, schedule }: SchedulerJob): readonly Problem[] {
  if (everySeconds === undefined && schedule === undefined)
    return [{ path: '/everySeconds', message: 'is required, or “schedule” in its place' }]
  if (schedule === undefined) return []
  return everySeconds === undefined
    ? checkSchedule(schedule).map((problem) => ({ ...problem, path: `/schedule${problem.path}` }))
    : [{ path: '/schedule', message: 'must be absent beside everySeconds: a job has one of them' }]
}
