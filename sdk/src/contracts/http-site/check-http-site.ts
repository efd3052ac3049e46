import { aFunction, aName, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'

/** Everything that is wrong with a site, each with a JSON pointer. Empty when requests may go to it. Never throws. */
export function checkHttpSite(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      host: aName(
        new RegExp(`^(?=.{1,253}$)(\\*\\.)?(${label}\\.)*${label}$`),
        'a host name in lower case without a port, or a pattern whose first label is *, such as *.apps.localhost',
      ),
      handle: aFunction,
    },
    optional: { upgrade: aFunction },
  })
}
