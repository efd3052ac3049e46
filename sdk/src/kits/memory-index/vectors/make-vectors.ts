import type { Embedding } from '../../../services/inference.js'
import type { IndexCacheOptions } from '../lexical/index-cache.js'
import { createSlices } from '../lexical/slices.js'
import { packVector } from './packed-vector.js'
import { embeddedTextOf, hashOf, type StoredVector, type VectorStore } from './vector-store.js'

/** What vectors are made with. */
export interface MakeVectorsOptions extends Pick<IndexCacheOptions, 'load'> {
  readonly store: VectorStore
  /** Makes the vectors of texts. */
  embed(inputs: readonly string[]): Promise<Embedding>
  /** The space of the model, if it is known: else a short text is embedded to find out. */
  readonly space?: string
  readonly maxVectors: number
  readonly signal: AbortSignal
}

interface Missing {
  readonly id: string
  readonly text: string
  readonly hash: string
}

const batchSize = 64

/**
 * Makes the vectors that the documents of a user lack, and removes those of documents that are gone.
 * Each batch is stored before the next begins. Resolves to the version of the documents, and the
 * number of vectors that were made.
 */
export async function makeVectors(
  userId: string,
  options: MakeVectorsOptions,
): Promise<{ readonly version: number; readonly made: number }> {
  const { store, signal, maxVectors } = options
  const known = new Map<string, Pick<StoredVector, 'hash' | 'space'>>()
  for await (const { id, hash, space } of store.read(userId, { signal })) known.set(id, { hash, space })
  const space = options.space ?? (known.size > 0 ? (await options.embed(['memory'])).space : undefined)

  const { version, documents } = await options.load(userId, { signal })
  const current = new Set<string>()
  const missing: Missing[] = []
  const pause = createSlices(signal)
  for await (const document of documents) {
    if (current.size >= maxVectors) break
    const text = embeddedTextOf(document)
    if (text !== '') {
      current.add(document.id)
      const [hash, stored] = [hashOf(text), known.get(document.id)]
      if (stored?.hash !== hash || stored.space !== space) missing.push({ id: document.id, text, hash })
    }
    await pause()
  }

  for (let from = 0; from < missing.length; from += batchSize) {
    signal.throwIfAborted()
    const batch = missing.slice(from, from + batchSize)
    const embedding = await options.embed(batch.map(({ text }) => text))
    await store.write(
      userId,
      batch.map(({ id, hash }, index) => ({ id, hash, space: embedding.space, vector: packVector(embedding.vectors[index] ?? []) })),
    )
  }
  const gone = [...known.keys()].filter((id) => !current.has(id))
  if (gone.length > 0) await store.remove(userId, gone)
  return { version, made: missing.length }
}
