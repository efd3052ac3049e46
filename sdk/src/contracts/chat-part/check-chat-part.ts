import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, aRange, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  timeoutMs: Type.Optional(aRange(1, 60_000)),
  erase: aFunction,
  rest: Type.Optional(aFunction),
  export: aFunction,
  import: aFunction,
})

/**
 * Everything that is wrong with a part of chats, each with a JSON pointer. Empty when chats can
 * have it. Never throws.
 */
export function checkChatPart(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
