import { notFoundError } from '@agent-service/sdk/contracts/http-route'

/** What an answer calls a document that is not there. */
type Kind = 'agent' | 'approval' | 'chat' | 'run' | 'space'

interface Owned {
  readonly user_id: string
}

/** The document, where it is this user's. Nobody can tell somebody else's from one that does not exist. @throws `not_found`. */
export function ownDocument<Document extends Owned>(what: Kind, document: Document | undefined, userId: string): Document {
  if (document?.user_id !== userId) throw notFoundError.create({ what })
  return document
}

/** As {@link ownDocument}, where one whose deletion has begun counts as gone. @throws `not_found`. */
export function ownUndeleted<Document extends Owned & { readonly deleting: boolean }>(
  what: Kind,
  document: Document | undefined,
  userId: string,
): Document {
  const own = ownDocument(what, document, userId)
  if (own.deleting) throw notFoundError.create({ what })
  return own
}
