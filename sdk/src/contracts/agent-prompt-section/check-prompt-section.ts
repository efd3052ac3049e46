import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, aRange, checkShape, firstSpecVersion, oneOf } from '../shape/check-shape.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  order: aRange(0, 10_000),
  kind: oneOf(['static', 'dynamic']),
  maxTokens: aRange(1, 100_000),
  when: Type.Optional(oneOf(['skills'])),
  priority: Type.Optional(aRange(0, 100)),
  timeoutMs: Type.Optional(aRange(1, 10_000)),
  text: aFunction,
})

/**
 * Everything that is wrong with a section, each with a JSON pointer. Empty when prompts may have
 * it. Never throws.
 */
export function checkPromptSection(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
