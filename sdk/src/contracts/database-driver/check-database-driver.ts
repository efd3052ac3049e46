import { aBoolean, aFunction, aName, aNumber, anObject, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

/** Everything that is wrong with a driver, each with a JSON pointer. Empty when a store can be opened with it. Never throws. */
export function checkDatabaseDriver(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aName(/^[a-z][a-z0-9-]{0,63}$/, 'a word in lower case, such as sqlite'),
      supports: anObject({
        required: { embedded: aBoolean, hotBackup: aBoolean, textSearch: oneOf([true]) },
        optional: { maximumDocuments: aNumber({ whole: true, min: 1 }) },
      }),
      open: aFunction,
    },
  })
}
