import { aContributionId, aFunction, aLine, aList, aName, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

/** Everything that is wrong with a policy engine, each with a JSON pointer. Empty when it can be asked. Never throws. */
export function checkPolicyEngine(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aContributionId,
      title: aLine(100),
      fileEndings: aList(aName(/^\.[a-z][a-z0-9.-]{0,31}$/, 'the end of a file name, such as .cedar'), { minItems: 1, maxItems: 10 }),
      prepare: aFunction,
      load: aFunction,
      decide: aFunction,
      rehearse: aFunction,
      check: aFunction,
    },
  })
}
