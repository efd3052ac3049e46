export type CredentialKind = 'session' | 'access_token' | 'ephemeral_token' | 'presigned_url'

/** A credential of a request in progress. */
export interface WatchedCredential {
  readonly userId: string
  readonly kind: CredentialKind
  /**
   * Of the session, the personal access token, the grant of ephemeral tokens, or the pre-signed
   * URL.
   */
  readonly id: string
}

/**
 * Aborts requests whose credential was revoked. In memory: each watch lives as long as its request.
 */
export interface Revocations {
  /** Watches a credential. Release the watch when the request is over. */
  watch(credential: WatchedCredential): { readonly signal: AbortSignal; release(): void }
  /** Aborts all requests of one credential. */
  credentialRevoked(id: string): void
  /**
   * Aborts all requests of a user's sessions, except the kept one, and of credentials that end with
   * them: all but personal access tokens.
   */
  sessionsRevoked(userId: string, keptId?: string): void
  /** Aborts all requests of a user's pre-signed URLs. */
  presignedUrlsRevoked(userId: string): void
  /** Aborts all requests of a user. */
  userRevoked(userId: string): void
  /** The number of open watches. */
  size(): number
}

interface Watch extends WatchedCredential {
  readonly controller: AbortController
}

export function createRevocations(): Revocations {
  const byCredential = new Map<string, Set<Watch>>()
  const byUser = new Map<string, Set<Watch>>()

  const add = (watches: Map<string, Set<Watch>>, key: string, watch: Watch): void => {
    const known = watches.get(key)
    if (known) known.add(watch)
    else watches.set(key, new Set([watch]))
  }
  const remove = (watches: Map<string, Set<Watch>>, key: string, watch: Watch): void => {
    const known = watches.get(key)
    if (known?.delete(watch) && known.size === 0) watches.delete(key)
  }
  const end = (watches: Iterable<Watch> | undefined, reason: string): void => {
    for (const { controller } of [...(watches ?? [])]) controller.abort(new DOMException(reason, 'AbortError'))
  }

  return {
    watch(credential) {
      const watch: Watch = { ...credential, controller: new AbortController() }
      add(byCredential, watch.id, watch)
      add(byUser, watch.userId, watch)
      return {
        signal: watch.controller.signal,
        release() {
          remove(byCredential, watch.id, watch)
          remove(byUser, watch.userId, watch)
        },
      }
    },
    credentialRevoked: (id) => end(byCredential.get(id), 'The credential has ended.'),
    sessionsRevoked(userId, keptId) {
      const watches = [...(byUser.get(userId) ?? [])]
      end(
        watches.filter(({ kind, id }) => kind !== 'access_token' && id !== keptId),
        'The session has ended.',
      )
    },
    presignedUrlsRevoked(userId) {
      const watches = [...(byUser.get(userId) ?? [])]
      end(
        watches.filter(({ kind }) => kind === 'presigned_url'),
        'The pre-signed URL has ended.',
      )
    },
    userRevoked: (userId) => end(byUser.get(userId), 'The account can no longer be used.'),
    size: () => [...byCredential.values()].reduce((sum, watches) => sum + watches.size, 0),
  }
}
