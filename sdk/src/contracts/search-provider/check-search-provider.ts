import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aLine, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aName(/^[a-z][a-z0-9_-]{0,63}$/, 'a name in lower case with at most 64 characters, such as hosted_a'),
  title: aLine(200),
  keyVariable: Type.Optional(aName(/^[A-Z][A-Z0-9_]{0,99}$/, 'the name of a variable of the environment, such as TAVILY_API_KEY')),
  selfHosted: Type.Optional(Type.Boolean()),
  search: aFunction,
})

/**
 * Everything that is wrong with a search provider, each with a JSON pointer. Empty when searches
 * may use it. Never throws.
 */
export const checkSearchProvider = (contribution: unknown): readonly Problem[] => checkShape(shape, contribution)
