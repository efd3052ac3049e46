import { watch } from 'node:fs/promises'

/**
 * Calls `look`, again after each change in a folder, until it returns something. Rejects after 15
 * s.
 */
export async function waitForFolder<Seen>(folder: string, look: () => Promise<Seen | undefined>): Promise<Seen> {
  const abort = new AbortController()
  const limit = setTimeout(() => abort.abort(new Error(`${folder} was not as expected within a minute.`)), 60_000)
  try {
    const changes = watch(folder, { signal: abort.signal })[Symbol.asyncIterator]()
    for (;;) {
      // Asked for before the look, so that no change between the two is missed.
      const change = changes.next()
      const seen = await look()
      if (seen !== undefined) {
        change.catch(() => undefined)
        return seen
      }
      await change
    }
  } finally {
    clearTimeout(limit)
    abort.abort()
  }
}
