import { v5 as uuidv5 } from 'uuid'
import { sha256 } from './text.js'

const namespace = '7b0e9a3c-52d4-4d0f-9f0a-6b3c5a1e8d27'

/** The same parts have the same id, so that work that is repeated makes nothing twice. */
export const idOf = (...parts: readonly (string | number)[]): string => uuidv5(JSON.stringify(parts), namespace)

/**
 * The id of a document of a user: what it is called among the user's own. Two users may have
 * imported memories of the same id.
 */
export function documentId(userId: string, id: string): string {
  const plain = `${userId}/${id}`
  return Buffer.byteLength(plain) <= 200 ? plain : `${sha256(userId)}/${sha256(id)}`
}
