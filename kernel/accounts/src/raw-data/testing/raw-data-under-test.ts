import type { RawCollection, RawData } from '../raw-data.js'

/** A collection whose documents a test sees. */
export interface LeftCollection extends RawCollection {
  /** The ids of documents, by user. */
  readonly ids: Map<string, readonly string[]>
}

/** A collection that a plugin has left behind, by default one that is gone. */
export function leftCollection(name: string, changed: Partial<RawCollection> = {}): LeftCollection {
  const ids = new Map<string, readonly string[]>()
  return {
    name,
    plugin: name.split('.')[0] ?? '',
    state: 'gone',
    isAwaited: false,
    sealed: [],
    ids,
    shownBy: async () => [],
    async *documents(userId) {
      for (const id of ids.get(userId) ?? []) yield { id, user_id: userId }
    },
    async erase(userId) {
      const count = ids.get(userId)?.length ?? 0
      ids.delete(userId)
      return count
    },
    ...changed,
  }
}

/** The collections at the time of each call. A plugin is gone when one of its collections says so. */
export const rawDataOf = (collections: () => readonly RawCollection[]): RawData => ({
  collections: async () => collections(),
  folders: async () => [],
  isGone: (pluginId) => collections().some(({ plugin, state }) => plugin === pluginId && state === 'gone'),
})
