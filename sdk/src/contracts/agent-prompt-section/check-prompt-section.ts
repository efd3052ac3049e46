import { aContributionId, aFunction, aLine, aRange, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

/** Everything that is wrong with a section, each with a JSON pointer. Empty when agents may be told its text. Never throws. */
export function checkPromptSection(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aContributionId,
      title: aLine(200),
      order: aRange(0, 10_000),
      kind: oneOf(['static', 'dynamic']),
      maxTokens: aRange(1, 100_000),
      text: aFunction,
    },
    optional: { priority: aRange(0, 100), timeoutMs: aRange(1, 10_000) },
  })
}
