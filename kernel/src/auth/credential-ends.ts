/** Tells whoever is being served that the credential behind it has ended. In memory: each watch lives as long as its request. */
export interface CredentialEnds {
  /** Watches a session of a user. Release the watch when the request is over. */
  watch(credential: { readonly userId: string; readonly sessionId: string }): { readonly signal: AbortSignal; release(): void }
  /** Aborts everything of one session. */
  sessionEnded(sessionId: string): void
  /** Aborts everything of one user. */
  userEnded(userId: string): void
  /** How many watches are open. */
  size(): number
}

/** Makes an empty registry. */
export function createCredentialEnds(): CredentialEnds {
  const bySession = new Map<string, Set<AbortController>>()
  const byUser = new Map<string, Set<AbortController>>()

  const add = (watches: Map<string, Set<AbortController>>, key: string, controller: AbortController): void => {
    const known = watches.get(key)
    if (known) known.add(controller)
    else watches.set(key, new Set([controller]))
  }
  const remove = (watches: Map<string, Set<AbortController>>, key: string, controller: AbortController): void => {
    const known = watches.get(key)
    if (known?.delete(controller) && known.size === 0) watches.delete(key)
  }
  const end = (watches: Map<string, Set<AbortController>>, key: string, reason: string): void => {
    for (const controller of [...(watches.get(key) ?? [])]) controller.abort(new DOMException(reason, 'AbortError'))
  }

  return {
    watch({ userId, sessionId }) {
      const controller = new AbortController()
      add(bySession, sessionId, controller)
      add(byUser, userId, controller)
      return {
        signal: controller.signal,
        release() {
          remove(bySession, sessionId, controller)
          remove(byUser, userId, controller)
        },
      }
    },
    sessionEnded: (sessionId) => end(bySession, sessionId, 'The session has ended.'),
    userEnded: (userId) => end(byUser, userId, 'The account can no longer be used.'),
    size: () => [...bySession.values()].reduce((sum, watches) => sum + watches.size, 0),
  }
}
