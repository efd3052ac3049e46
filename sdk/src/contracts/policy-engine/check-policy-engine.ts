import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(100),
  fileEndings: Type.Array(aName(/^\.[a-z][a-z0-9.-]{0,31}$/, 'the end of a file name, such as .cedar'), { minItems: 1, maxItems: 10 }),
  prepare: aFunction,
  load: aFunction,
  decide: aFunction,
  rehearse: aFunction,
  check: aFunction,
})

/**
 * Everything that is wrong with a policy engine, each with a JSON pointer. Empty when it can be
 * asked. Never throws.
 */
export function checkPolicyEngine(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
