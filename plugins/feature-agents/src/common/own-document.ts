import { notFoundError } from '@agent-service/sdk/contracts/http-route'

/** The name of a missing document in the response. */
type Kind = 'agent' | 'approval' | 'chat' | 'import' | 'run' | 'space'

interface Owned {
  readonly user_id: string
}

/**
 * The document, if it belongs to this user. Another user's document and a missing one give the same
 * error. @throws `not_found`.
 */
export function ownDocument<Document extends Owned>(what: Kind, document: Document | undefined, userId: string): Document {
  if (document?.user_id !== userId) throw notFoundError.create({ what })
  return document
}

/**
 * As {@link ownDocument}, but a document whose deletion has begun counts as missing. @throws
 * `not_found`.
 */
export function ownUndeleted<Document extends Owned & { readonly deleting: boolean }>(
  what: Kind,
  document: Document | undefined,
  userId: string,
): Document {
  const own = ownDocument(what, document, userId)
  if (own.deleting) throw notFoundError.create({ what })
  return own
}
