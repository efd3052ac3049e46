import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Failure } from '../smtp/failure.js'
import { maxConnections } from '../smtp/limits.js'
import { outboxCollection, timeText } from '../store/stored-mail.js'

const pollMs = 60_000
const firstPauseMs = 30_000
const maxPauseMs = 15 * 60_000
const afterErrorMs = 10_000
/** How long an attempt may go on when the plugin stops. */
const graceMs = 3_000

/** Sends what is due. */
export interface MailEngine {
  /** Something new waits, or the time has changed. */
  wake(): void
  /** Why nothing is tried at the moment; undefined while all is well. */
  trouble(): { readonly reason: string; readonly until: string } | undefined
  /** No more attempts begin; those under way get a while to end. */
  end(): Promise<void>
}

/** Begins. `send` makes one attempt and returns the failure if nothing can be sent now. */
export function startMailEngine(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly send: (id: string) => Promise<Failure | undefined>
}): MailEngine {
  const { database, clock, log, send } = dependencies
  const outbox = database.collection(outboxCollection)
  const underWay = new Map<string, Promise<void>>()
  let isOver = false
  let isAgain = false
  let pass: Promise<void> | undefined
  let stopTimer: Disposer = () => undefined
  let failures = 0
  let pause: { readonly reason: string; readonly until: number } | undefined

  const isPaused = (): boolean => pause !== undefined && pause.until > clock.now()
  const later = (milliseconds: number): void => {
    void stopTimer()
    if (!isOver) stopTimer = clock.after(Math.max(1, Math.min(pollMs, milliseconds)), wake)
  }
  const noteFailure = ({ reason }: Failure): void => {
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failures, 10))
    if (failures === 0) log.warn('E-mails cannot be sent at the moment.', { reason, pause_seconds: pauseMs / 1_000 })
    failures += 1
    pause = { reason, until: clock.now() + pauseMs }
  }
  const attempt = async (id: string): Promise<void> => {
    try {
      const failure = await send(id)
      if (failure) return noteFailure(failure)
      if (failures > 0) log.info('E-mails can be sent again.')
      failures = 0
      pause = undefined
    } catch (error) {
      log.error('An e-mail could not be handled; its attempt is repeated.', { mail: id, error })
    }
  }
  const begin = (id: string): void => {
    const work = attempt(id).finally(() => {
      underWay.delete(id)
      wake()
    })
    underWay.set(id, work)
  }
  const look = async (): Promise<void> => {
    if (isPaused()) return later((pause?.until ?? 0) - clock.now())
    // After a pause one attempt finds out whether the server is back.
    const places = (failures > 0 ? 1 : maxConnections) - underWay.size
    if (places <= 0) return
    const { items } = await outbox.query({ index: 'by_due', from: '', limit: maxConnections * 2 })
    const open = items.filter(({ id }) => !underWay.has(id))
    const due = open.filter(({ due_at }) => due_at !== null && due_at <= timeText(clock.now())).slice(0, places)
    for (const { id } of due) begin(id)
    const [next] = open.filter(({ id }) => !underWay.has(id))
    later(next?.due_at == null ? pollMs : Date.parse(next.due_at) - clock.now())
  }
  function wake(): void {
    if (isOver) return
    if (pass) {
      isAgain = true
      return
    }
    isAgain = false
    pass = look()
      .catch((error: unknown) => {
        log.error('E-mails that are due could not be read; trying again.', { error })
        later(afterErrorMs)
      })
      .finally(() => {
        pass = undefined
        if (isAgain) wake()
      })
  }
  return {
    wake,
    trouble: () => (pause && isPaused() ? { reason: pause.reason, until: timeText(pause.until) } : undefined),
    async end() {
      isOver = true
      void stopTimer()
      await pass
      if (underWay.size === 0) return
      const ends = new AbortController()
      const grace = clock.wait(graceMs, { signal: ends.signal }).catch(() => undefined)
      await Promise.race([Promise.allSettled([...underWay.values()]), grace])
      ends.abort(new DOMException('The plugin ends.', 'AbortError'))
    },
  }
}

/** Attempts of a process that died: nothing else sends, so they are over. */
export async function recoverAttempts(database: Database, clock: Pick<Clock, 'now'>): Promise<number> {
  let recovered = 0
  for (;;) {
    const { items } = await database.collection(outboxCollection).query({ index: 'by_state', equals: ['sending'], limit: 100 })
    if (items.length === 0) return recovered
    await database.transaction(async (transaction) => {
      for (const { id } of items) {
        const mail = await transaction.get(outboxCollection, id)
        if (mail?.state !== 'sending') continue
        const error = 'The process ended in the middle of sending.'
        transaction.put(outboxCollection, { ...mail, state: 'unknown', claim: null, error, due_at: timeText(clock.now()) })
      }
    })
    recovered += items.length
  }
}
