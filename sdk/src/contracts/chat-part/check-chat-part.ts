import { aContributionId, aFunction, aLine, aRange, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

/** Everything that is wrong with a part of chats, each with a JSON pointer. Empty when it can go with them. Never throws. */
export function checkChatPart(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aContributionId,
      title: aLine(200),
      erase: aFunction,
      export: aFunction,
      import: aFunction,
    },
    optional: { timeoutMs: aRange(1, 60_000) },
  })
}
