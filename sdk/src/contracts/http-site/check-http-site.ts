import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  host: aName(
    new RegExp(`^(?=.{1,253}$)(\\*\\.)?(${label}\\.)*${label}$`),
    'a host name in lower case without a port, or a pattern whose first label is *, such as *.apps.localhost',
  ),
  handle: aFunction,
  upgrade: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a site, each with a JSON pointer. Empty when requests may go to it.
 * Never throws.
 */
export function checkHttpSite(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
