import { randomUUID } from 'node:crypto'
import type { Logger } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Hold, Limit } from '@agent-service/sdk/services/quotas'
import type { OpenRequest } from '../browsers/browser-pool.js'
import { browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { OpenProfiles, ProfileUse } from '../profiles/open-profiles.js'
import type { ProfileOwner } from '../profiles/stored-profiles.js'
import { type BrowserSession, createBrowserSession } from './browser-session.js'

/** The chat whose session is meant. */
export interface SessionOwner extends ProfileOwner {
  readonly chatId: string
  readonly agentHandle: string
}

/** A session that is open. */
export interface OpenBrowserSession {
  readonly id: string
  readonly owner: SessionOwner
  readonly session: BrowserSession
  /** In milliseconds since 1970. */
  readonly openedAt: number
  lastUsedAt(): number
}

/** The sessions of all chats. */
export interface SessionRegistry {
  /**
   * Works with the session of a chat, one piece of work after the other; opens it if that is asked for. Work that is
   * aborted closes the session, since no one knows how far it came. @throws `browser_use_invalid` if no session is open,
   * `limit_reached`, `overloaded`, `browser_unavailable`, `browser_lost`.
   */
  use<Result>(
    owner: SessionOwner,
    options: { readonly open: boolean; readonly signal: AbortSignal; readonly allows: OpenRequest['allows'] },
    work: (session: BrowserSession) => Promise<Result>,
  ): Promise<Result>
  list(): readonly OpenBrowserSession[]
  /** Closes those that fit; resolves with their number. */
  close(fits: (session: OpenBrowserSession) => boolean): Promise<number>
  /** Closes all, and opens none any more. */
  end(): Promise<void>
}

interface Entry extends OpenBrowserSession {
  readonly use: ProfileUse
  readonly hold: Hold
  usedAt: number
  savedAt: number
  line: Promise<unknown>
  isClosed: boolean
}

const keyOf = ({ userId, agentId, chatId }: SessionOwner): string => JSON.stringify([userId, agentId, chatId])

/** Between two times that the cookies of a session in use are kept. */
const saveEveryMs = 60_000

export function createSessionRegistry(dependencies: {
  readonly profiles: OpenProfiles
  readonly limit: Limit
  readonly clock: Clock
  readonly log: Logger
}): SessionRegistry {
  const { profiles, limit, clock, log } = dependencies
  const entries = new Map<string, Entry>()
  const opening = new Map<string, Promise<Entry>>()
  let isEnding = false

  const closeEntry = async (entry: Entry): Promise<void> => {
    if (entry.isClosed) return
    entry.isClosed = true
    const key = keyOf(entry.owner)
    if (entries.get(key) === entry) entries.delete(key)
    entry.hold.release()
    try {
      await entry.session.close()
      await entry.use.release()
    } catch (error) {
      log.warn('A browser session could not be closed in order.', { error })
    }
  }
  const openEntry = async (
    owner: SessionOwner,
    { signal, allows }: { readonly signal: AbortSignal; readonly allows: OpenRequest['allows'] },
  ): Promise<Entry> => {
    if (isEnding) throw browserUseError.create({ text: 'The service stops; no browser session is opened any more.' })
    let entry: Entry | undefined
    const hold = limit.take(`user:${owner.userId}`, 1, {
      lastUsed: () => entry?.usedAt ?? clock.monotonic(),
      onDisplaced: () => void (entry && closeEntry(entry)),
    })
    try {
      const use = await profiles.use({ ...owner, allows }, signal)
      const session = createBrowserSession(use.browser)
      const now = clock.monotonic()
      const offset = clock.now() - now
      const made: Entry = {
        ...{ id: randomUUID(), owner, session, openedAt: clock.now(), use, hold, usedAt: now, savedAt: now },
        ...{ line: Promise.resolve(), isClosed: false, lastUsedAt: () => made.usedAt + offset },
      }
      entry = made
      entries.set(keyOf(owner), made)
      use.browser.ended.addEventListener('abort', () => void closeEntry(made), { once: true })
      if (isEnding || use.browser.ended.aborted) {
        await closeEntry(made)
        throw browserUseError.create({ text: 'The browser session was closed at once; try again.' })
      }
      return made
    } catch (error) {
      hold.release()
      throw error
    }
  }
  const find = async (owner: SessionOwner, options: Parameters<SessionRegistry['use']>[1]): Promise<Entry> => {
    const key = keyOf(owner)
    const known = entries.get(key)
    if (known !== undefined) return known
    if (!options.open) throw browserUseError.create({ text: 'No page is open. Open one with browser_navigate.' })
    const underWay = opening.get(key) ?? openEntry(owner, options).finally(() => opening.delete(key))
    opening.set(key, underWay)
    return await abortable(underWay, options.signal)
  }
  const idle = (entry: Entry): boolean => clock.monotonic() - entry.usedAt >= limits.idleMs
  const stopWatching = watch(clock, limits.idleMs / 10, () => {
    for (const entry of entries.values()) if (idle(entry)) void closeEntry(entry)
  })
  const list = (): readonly Entry[] => [...entries.values()]
  const close = async (fits: (session: OpenBrowserSession) => boolean): Promise<number> => {
    const found = list().filter(fits)
    await Promise.all(found.map(closeEntry))
    return found.length
  }
  return {
    async use(owner, options, work) {
      const entry = await find(owner, options)
      const before = entry.line
      const turn = (async () => {
        await before.catch(() => undefined)
        options.signal.throwIfAborted()
        entry.usedAt = clock.monotonic()
        try {
          return await work(entry.session)
        } finally {
          entry.usedAt = clock.monotonic()
          if (options.signal.aborted) await closeEntry(entry)
          else if (entry.usedAt - entry.savedAt > saveEveryMs) {
            entry.savedAt = entry.usedAt
            entry.use.save().catch((error: unknown) => log.warn('The cookies of a browser profile could not be kept.', { error }))
          }
        }
      })()
      entry.line = turn.catch(() => undefined)
      return await turn
    },
    list,
    close,
    async end() {
      isEnding = true
      stopWatching()
      await Promise.allSettled(opening.values())
      await close(() => true)
    },
  }
}

/** Calls back again and again, by the clock. */
function watch(clock: Clock, everyMs: number, look: () => void): () => void {
  let cancel: () => void | Promise<void> = () => undefined
  const next = (): void => {
    cancel = clock.after(everyMs, () => {
      look()
      next()
    })
  }
  next()
  return () => void cancel()
}
