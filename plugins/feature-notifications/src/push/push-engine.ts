import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { timeText } from '../store/notification.js'
import { pushCollection } from '../store/push-store.js'

/** Another process may have stored something. */
const pollMs = 60_000
const afterErrorMs = 10_000
const maxUnderWay = 16
/** A person chooses the hosts of their devices: slow ones may not hold up the messages of others. */
const maxOfPerson = 2

/** Sends what is due. */
export interface PushEngine {
  /** Something new waits. */
  wake(): void
  /** No more attempts begin; those under way are aborted, and made again later. */
  end(): Promise<void>
}

/** Begins. `send` makes one attempt. */
export function startPushEngine(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly send: (id: string, options: { readonly signal: AbortSignal }) => Promise<unknown>
}): PushEngine {
  const { database, clock, log, send } = dependencies
  const over = new AbortController()
  const underWay = new Map<string, { readonly userId: string; readonly work: Promise<void> }>()
  let isAgain = false
  let pass: Promise<void> | undefined
  let stopTimer: Disposer = () => undefined
  const later = (milliseconds: number): void => {
    void stopTimer()
    if (!over.signal.aborted) stopTimer = clock.after(Math.max(1, Math.min(pollMs, milliseconds)), wake)
  }
  const attempt = async (id: string): Promise<void> => {
    try {
      await send(id, { signal: over.signal })
    } catch (error) {
      if (!over.signal.aborted) log.error('A message to a device could not be handled; its attempt is repeated.', { push: id, error })
    }
  }
  const begin = (id: string, userId: string): void => {
    const work = attempt(id).finally(() => {
      underWay.delete(id)
      wake()
    })
    underWay.set(id, { userId, work })
  }
  const hasRoom = (userId: string): boolean => [...underWay.values()].filter((each) => each.userId === userId).length < maxOfPerson
  const look = async (): Promise<void> => {
    const now = clock.now()
    for await (const { id, user_id, due_at } of documentsOf(database, pushCollection, { index: 'by_due', equals: [] })) {
      // Each attempt looks again when it ends.
      if (underWay.size >= maxUnderWay) return
      if (underWay.has(id)) continue
      if (due_at > timeText(now)) return later(Date.parse(due_at) - now)
      if (hasRoom(user_id)) begin(id, user_id)
    }
    later(pollMs)
  }
  function wake(): void {
    if (over.signal.aborted) return
    if (pass) {
      isAgain = true
      return
    }
    isAgain = false
    pass = look()
      .catch((error: unknown) => {
        log.error('Messages to devices could not be read; trying again.', { error })
        later(afterErrorMs)
      })
      .finally(() => {
        pass = undefined
        if (isAgain) wake()
      })
  }
  return {
    wake,
    async end() {
      over.abort(new DOMException('The plugin ends.', 'AbortError'))
      void stopTimer()
      await pass
      await Promise.allSettled([...underWay.values()].map(({ work }) => work))
    },
  }
}
