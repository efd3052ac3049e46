import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const prefix = aName(/^(\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){1,10}$/, 'a path without parameters and without “/” at its end, such as /v1')

const shape = Type.Object({
  specVersion: firstSpecVersion,
  prefix,
  lenient: Type.Optional(Type.Boolean()),
  mistaken: Type.Optional(Type.Array(prefix, { maxItems: 50 })),
  format: aFunction,
})

/**
 * Everything that is wrong with an error format, each with a JSON pointer. Empty when it can be
 * used. Never throws.
 */
export function checkErrorFormat(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
