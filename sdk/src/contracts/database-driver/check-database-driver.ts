import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aCount, aFunction, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aName(/^[a-z][a-z0-9-]{0,63}$/, 'a word in lower case, such as sqlite'),
  supports: Type.Object({
    embedded: Type.Boolean(),
    hotBackup: Type.Boolean(),
    textSearch: Type.Literal(true),
    maximumDocuments: Type.Optional(aCount),
  }),
  open: aFunction,
})

/**
 * Everything that is wrong with a driver, each with a JSON pointer. Empty when a store can be
 * opened with it. Never throws.
 */
export function checkDatabaseDriver(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
