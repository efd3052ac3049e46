import { createLimiter } from '../../../async/limiter.js'
import { createSingleFlight } from '../../../async/single-flight.js'
import { withTimeLimit } from '../../../async/with-time-limit.js'
import type { Logger } from '../../../core/logger.js'
import type { Clock } from '../../../services/clock.js'
import type { Embedding, Inference } from '../../../services/inference.js'
import type { IndexCacheOptions } from '../lexical/index-cache.js'
import type { MemorySearchOptions } from '../lexical/memory-index.js'
import { createSlices } from '../lexical/slices.js'
import { makeVectors } from './make-vectors.js'
import { type OpenVector, openVector, packVector, similarityOf } from './packed-vector.js'
import type { VectorStore } from './vector-store.js'

/** What a search by meaning is made of. */
export interface VectorSearchOptions extends Pick<IndexCacheOptions, 'load' | 'versionOf'> {
  /** Makes the vectors, in the group `embedding`. */
  readonly inference: Pick<Inference, 'embed' | 'groups'>
  /** Keeps them. */
  readonly store: VectorStore
  /** Of the waits. */
  readonly clock: Pick<Clock, 'after' | 'now'>
  /** Is told of failures, without any text of a user. */
  readonly log: Pick<Logger, 'warn'>
  /** Ends work under way in the background. */
  readonly signal: AbortSignal
  /** The most users whose vectors are kept in memory. Default 16. */
  readonly maxUsers?: number
  /** The most vectors of one user that are compared, and of all users together that are kept in memory. Default 20,000. */
  readonly maxVectors?: number
  /** How long a query waits for its vector. In milliseconds. Default 3,000. */
  readonly queryLimitMs?: number
  /** The least similarity of a match, from -1 to 1. Default 0.2. */
  readonly minSimilarity?: number
}

/**
 * Finds documents of a user by their meaning, if the configuration has a group `embedding` whose
 * model makes vectors.
 */
export interface VectorSearch {
  /** Whether there is such a group. */
  readonly available: boolean
  /**
   * The ids of documents that mean something similar, the best first. Undefined if there is no group,
   * or it fails: nothing is missing then but these. Documents that have no vector of the model's
   * space get one in the background, and are found from then on. @throws the signal's reason.
   */
  find(
    userId: string,
    text: string,
    options: MemorySearchOptions & { readonly signal: AbortSignal },
  ): Promise<readonly string[] | undefined>
  /**
   * Makes the vectors that a user's documents lack or have of other texts or another space, and
   * removes those of documents that are gone; a batch is stored before the next begins. Resolves to
   * the number that was made. Joins a call under way. @throws what the group throws.
   */
  refresh(userId: string): Promise<number>
  /** Drops the vectors of a user from memory. */
  invalidate(userId: string): void
  /** Drops those that were not used for this long from memory. In milliseconds. */
  evictIdle(maxIdleMs: number): void
}

/** The vectors of a user as they were read. */
interface ReadVectors {
  /** Of the documents at the last refresh; undefined before one. */
  readonly version: number | undefined
  readonly spaces: ReadonlyMap<string, ReadonlyMap<string, OpenVector>>
  readonly count: number
}

/** Vectors that are kept in memory. */
interface KeptVectors extends ReadVectors {
  /** On the clock of the process, in milliseconds. */
  readonly usedAt: number
}

const group = 'embedding'
const batchLimitMs = 120_000
/** How long a user's vectors are not made again in the background after a failure. */
const retryMs = 300_000
const maxFailures = 1_000

/** Makes a search by meaning. It does nothing until it is asked. */
export function createVectorSearch(options: VectorSearchOptions): VectorSearch {
  const { inference, store, clock, signal, maxUsers = 16, maxVectors = 20_000, queryLimitMs = 3_000, minSimilarity = 0.2 } = options
  /** The one used last stands last. */
  const kept = new Map<string, KeptVectors>()
  const refreshes = createSingleFlight<string, number>()
  const reads = createSingleFlight<string, ReadVectors>()
  const places = createLimiter({ maxConcurrent: 2, maxWaiting: 64 })
  const failures = new Map<string, number>()

  const keep = (userId: string, vectors: ReadVectors): ReadVectors => {
    kept.delete(userId)
    kept.set(userId, { ...vectors, usedAt: performance.now() })
    let total = [...kept.values()].reduce((sum, { count }) => sum + count, 0)
    for (const [oldest, { count }] of kept) {
      if (oldest === userId || (kept.size <= maxUsers && total <= maxVectors)) break
      kept.delete(oldest)
      total -= count
    }
    return vectors
  }

  const read = async (userId: string, version?: number): Promise<ReadVectors> => {
    const spaces = new Map<string, Map<string, OpenVector>>()
    const pause = createSlices(signal)
    let count = 0
    for await (const { id, space, vector } of store.read(userId, { signal })) {
      spaces.set(space, (spaces.get(space) ?? new Map<string, OpenVector>()).set(id, openVector(vector)))
      count += 1
      if (count >= maxVectors) break
      await pause()
    }
    return keep(userId, { version, spaces, count })
  }

  const embed = (
    userId: string,
    inputs: readonly string[],
    { purpose, limitMs, within }: { readonly purpose: 'document' | 'query'; readonly limitMs: number; readonly within: AbortSignal },
  ): Promise<Embedding> => {
    const request = { group, inputs, purpose, attribution: { userId, purpose: 'memory' } } as const
    const limits = { limitMs, signal: within, clock, what: 'The embedding' }
    return withTimeLimit((inner) => inference.embed(request, { signal: inner }), limits)
  }

  const refresh = (userId: string, space?: string): Promise<number> =>
    refreshes.run(userId, async () => {
      const release = await places.acquire({ signal })
      try {
        const { version, made } = await makeVectors(userId, {
          ...{ load: options.load, store, maxVectors, signal, ...(space !== undefined && { space }) },
          embed: (inputs) => embed(userId, inputs, { purpose: 'document', limitMs: batchLimitMs, within: signal }),
        })
        await read(userId, version)
        failures.delete(userId)
        return made
      } finally {
        release()
      }
    })

  /** Never fails: a failure is logged, and tried again after a while. */
  const refreshInBackground = (userId: string, space: string): void => {
    if ((failures.get(userId) ?? 0) > clock.now() || signal.aborted) return
    refresh(userId, space).catch((error: unknown) => {
      if (signal.aborted) return
      for (const [oldest] of failures) if (failures.size >= maxFailures) failures.delete(oldest)
      failures.set(userId, clock.now() + retryMs)
      options.log.warn('Vectors of memories could not be made; they are found by their words alone.', { error })
    })
  }

  const available = (): boolean => inference.groups().some(({ name, embeds }) => name === group && embeds === true)

  return {
    get available() {
      return available()
    },
    async find(userId, text, { limit, accepts, signal: within }) {
      if (text.trim() === '' || !available()) return undefined
      const asked = await embed(userId, [text], { purpose: 'query', limitMs: queryLimitMs, within }).catch((error: unknown) => {
        within.throwIfAborted()
        options.log.warn('A query has no vector; memories are found by their words alone.', { error })
        return undefined
      })
      const [query] = asked?.vectors ?? []
      if (asked === undefined || query === undefined) return undefined
      const version = await options.versionOf(userId)
      const vectors = keep(userId, kept.get(userId) ?? (await reads.run(userId, () => read(userId), { signal: within })))
      const outdated = [...vectors.spaces.keys()].some((space) => space !== asked.space)
      if (outdated || vectors.version !== version) refreshInBackground(userId, asked.space)
      const comparable = vectors.spaces.get(asked.space) ?? new Map<string, OpenVector>()
      return nearest(openVector(packVector(query)), comparable, { limit, accepts, minSimilarity, within })
    },
    refresh: (userId) => refresh(userId),
    invalidate: (userId) => void kept.delete(userId),
    evictIdle(maxIdleMs) {
      for (const [userId, { usedAt }] of kept) if (performance.now() - usedAt > maxIdleMs) kept.delete(userId)
    },
  }
}

interface NearestOptions {
  readonly limit: number
  readonly accepts: MemorySearchOptions['accepts']
  readonly minSimilarity: number
  readonly within: AbortSignal
}

/** The most similar ones, compared in slices. */
async function nearest(query: OpenVector, vectors: ReadonlyMap<string, OpenVector>, options: NearestOptions): Promise<readonly string[]> {
  const { limit, accepts = () => true, minSimilarity, within } = options
  const pause = createSlices(within)
  const found: { readonly id: string; readonly similarity: number }[] = []
  for (const [id, vector] of vectors) {
    const similarity = accepts(id) ? similarityOf(query, vector) : -1
    if (similarity >= minSimilarity) found.push({ id, similarity })
    await pause()
  }
  return found
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, limit)
    .map(({ id }) => id)
}
