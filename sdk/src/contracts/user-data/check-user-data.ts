import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'

const collection = aName(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, 'the name of a collection, such as agents.chats')

const operation = aName(/^[A-Za-z][A-Za-z0-9]{0,99}$/, 'the id of an operation of the API, such as listMessages')

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aName(/^(?=.{2,160}$)[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*$/, 'a word of the plugin in lower case, such as agents'),
  collections: Type.Array(collection, { maxItems: 100 }),
  shownBy: Type.Optional(Type.Array(operation, { maxItems: 100 })),
  export: aFunction,
  erase: aFunction,
  size: aFunction,
  handOver: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a `user.data` contribution, each with a JSON pointer. Empty when it
 * can be used. Never throws.
 */
export function checkUserData(contribution: unknown): readonly Problem[] {
  return checkShape(shape, contribution)
}
