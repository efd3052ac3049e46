import type { MemoryReader } from '@agent-service/sdk/contracts/memory-backend'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { MemoryCalls } from '../backend/memory-calls.js'
import { memoryUnavailableError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { MemoryMetrics } from '../common/metrics.js'

/** Whose text for a prompt, and how long it may be. */
export interface PromptReader extends MemoryReader {
  readonly agentId: string
  readonly maxTokens: number
}

/** What agents read of their memories, kept for a while. */
export interface PromptTexts {
  /** The text, undefined for none. @throws `memory_unavailable`, the signal's reason. */
  text(reader: PromptReader, signal: AbortSignal): Promise<string | undefined>
  /** Something of this user has changed. */
  forget(userId: string): void
  /** Something of any user may have changed. */
  forgetAll(): void
}

/** Users whose pause is remembered; more are asked for again earlier. */
const maxPaused = 10_000

interface Kept {
  readonly userId: string
  readonly text: string | undefined
  readonly until: number
}

/**
 * Keeps texts until something of their user changes, and for `ttlMs` at most, after which a memory
 * may have faded. Bounded by the characters of all texts together: those that were not read for the
 * longest time give way, so that nothing stays of users who are not here. After a failure the back
 * end is not asked for this user's prompts for `pauseMs`, so that one that hangs delays one call, not
 * every one. Others are left out too only while no back end runs, or after it has failed for
 * `maxFailedUsers` different users with no answer in between.
 */
export function createPromptTexts(dependencies: {
  readonly calls: MemoryCalls
  readonly clock: Pick<Clock, 'monotonic'>
  readonly metrics: Pick<MemoryMetrics, 'prompted'>
  readonly ttlMs: number
  readonly maxCharacters?: number
  readonly pauseMs?: number
  readonly maxFailedUsers?: number
}): PromptTexts {
  const { calls, clock, metrics, ttlMs, maxCharacters = 4_000_000, pauseMs = 15_000, maxFailedUsers = 5 } = dependencies
  const kept = new Map<string, Kept>()
  const asking = new Set<{ readonly userId: string; isOutdated: boolean }>()
  /** Users for whom it has failed, with the end of their pause, the oldest first. */
  const paused = new Map<string, number>()
  const failedInARow = new Set<string>()
  let characters = 0
  let allPausedUntil = 0

  const pause = (userId: string): void => {
    const until = clock.monotonic() + pauseMs
    paused.delete(userId)
    paused.set(userId, until)
    for (const [oldest, end] of paused) {
      if (end > clock.monotonic() && paused.size <= maxPaused) break
      paused.delete(oldest)
    }
    if (failedInARow.size < maxFailedUsers) failedInARow.add(userId)
    if (failedInARow.size >= maxFailedUsers || !calls.state().available) allPausedUntil = until
  }
  const isPaused = (userId: string): boolean => Math.max(allPausedUntil, paused.get(userId) ?? 0) > clock.monotonic()

  const drop = (key: string): void => {
    characters -= costOf(key, kept.get(key))
    kept.delete(key)
  }
  const keep = (key: string, entry: Kept): void => {
    if (kept.has(key)) drop(key)
    kept.set(key, entry)
    characters += costOf(key, entry)
    for (const oldest of kept.keys()) {
      if (characters <= maxCharacters) break
      drop(oldest)
    }
  }
  const ask = async (key: string, reader: PromptReader, signal: AbortSignal): Promise<string | undefined> => {
    const question = { userId: reader.userId, isOutdated: false }
    asking.add(question)
    try {
      const text = await calls.call({ what: 'prompt', signal, limitMs: limits.promptMs }, (backend, limited) =>
        backend.promptText(reader, { signal: limited }),
      )
      failedInARow.clear()
      paused.delete(reader.userId)
      if (!question.isOutdated) keep(key, { userId: reader.userId, text, until: clock.monotonic() + ttlMs })
      return text
    } catch (error) {
      if (memoryUnavailableError.isInstance(error)) pause(reader.userId)
      throw error
    } finally {
      asking.delete(question)
    }
  }
  const forget = (isMeant: (userId: string) => boolean): void => {
    for (const question of asking) if (isMeant(question.userId)) question.isOutdated = true
    for (const [key, { userId }] of kept) if (isMeant(userId)) drop(key)
  }

  return {
    async text(reader, signal) {
      const key = JSON.stringify([reader.userId, reader.agentId, reader.spaceId ?? null, reader.maxTokens])
      const found = kept.get(key)
      if (found && found.until > clock.monotonic()) {
        kept.delete(key)
        kept.set(key, found)
        metrics.prompted('cache')
        return found.text
      }
      if (isPaused(reader.userId)) {
        metrics.prompted('nothing')
        throw memoryUnavailableError.create({ reason: `the back end “${calls.id}” has just failed` })
      }
      metrics.prompted('backend')
      return ask(key, reader, signal)
    },
    forget: (user) => forget((userId) => userId === user),
    forgetAll: () => forget(() => true),
  }
}

/** What an entry takes, in characters, with its overhead. */
const costOf = (key: string, entry: Kept | undefined): number => (entry === undefined ? 0 : key.length + (entry.text?.length ?? 0) + 200)
