import { aFunction, aLine, aName, aNumber, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

/** Everything that is wrong with a job, each with a JSON pointer. Empty when it can be scheduled. Never throws. */
export function checkSchedulerJob(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aName(/^(?=.{3,160}$)[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/, '<plugin>.<what> in lower case, such as agents.prune-events'),
      title: aLine(200),
      everySeconds: aNumber({ min: 1 }),
      run: aFunction,
    },
    optional: { timeoutSeconds: aNumber({ above: 0 }) },
  })
}
