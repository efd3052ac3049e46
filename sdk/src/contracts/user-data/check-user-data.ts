import { aFunction, aList, aName, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'

/** Everything that is wrong with a `user.data` contribution, each with a JSON pointer. Empty when it can be used. Never throws. */
export function checkUserData(contribution: unknown): readonly Problem[] {
  return checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aName(/^(?=.{2,160}$)[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*$/, 'a word of the plugin in lower case, such as agents'),
      collections: aList(aName(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, 'the name of a collection, such as agents.chats'), { maxItems: 100 }),
      export: aFunction,
      erase: aFunction,
      size: aFunction,
    },
  })
}
