import type { CacheFiles } from '@agent-service/sdk/services/cache-files'

/** Cache files in memory, which a test may look at and damage. */
export function createCacheFilesInMemory(): CacheFiles & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    read: async (name) => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
    remove: async (name) => void texts.delete(name),
  }
}
