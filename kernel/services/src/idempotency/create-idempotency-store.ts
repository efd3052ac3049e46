import { createHash } from 'node:crypto'
import type { JsonObject, Logger } from '@agent-service/sdk'
import { abortable, settlesWithin } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { IdempotencyDecision, IdempotencyStore } from './idempotency-store.js'
import { openAnswer, sealAnswer } from './sealed-answer.js'

/** One key of one principal on one route. */
interface KeyRecord {
  /** SHA-256 of scope and key. */
  readonly id: string
  readonly digest: string
  readonly state: 'running' | 'done'
  /**
   * The process that runs the request. A record of another process counts as abandoned after
   * `lease_until`.
   */
  readonly process: string
  readonly lease_until: string
  /** Sealed with a key derived from the request. */
  readonly answer: JsonObject | null
  readonly expires_at: string
}

const keyRecords = defineCollection<KeyRecord>()({
  name: 'kernel.idempotency',
  version: 1,
  indexes: { by_expiry: { fields: ['expires_at'] } },
})

/** The collections of this folder, for `database.openFor('kernel', …)`. */
export const idempotencyCollections = [keyRecords]

const keptMs = 24 * 60 * 60_000
const leaseMs = 60_000
/** How long a second request waits for the first one in this process. */
const waitMs = 30_000
const sweepEveryMs = 10 * 60_000

/**
 * Makes the store over the kernel's database. Expired records are removed periodically, in the
 * background.
 */
export function createIdempotencyStore(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}): IdempotencyStore {
  const { database, clock, logger } = dependencies
  const records = database.collection(keyRecords)
  const thisProcess = uuidv7()
  const running = new Map<string, { readonly digest: string; readonly settled: Promise<void> }>()
  let sweptAt = clock.monotonic()

  const claim = (id: string, digest: string): Promise<IdempotencyDecision['kind'] | KeyRecord> =>
    database.transaction(async (transaction) => {
      const now = clock.now()
      const found = await transaction.get(keyRecords, id)
      const live = found && Date.parse(found.expires_at) > now ? found : undefined
      if (live?.state === 'done') return live.digest === digest ? live : 'mismatch'
      if (live && live.process !== thisProcess && Date.parse(live.lease_until) > now) return live.digest === digest ? 'busy' : 'mismatch'
      transaction.put(keyRecords, {
        id,
        digest,
        state: 'running',
        process: thisProcess,
        lease_until: new Date(now + leaseMs).toISOString(),
        answer: null,
        expires_at: new Date(now + keptMs).toISOString(),
      })
      return 'run'
    })

  /** The request itself has succeeded: a failure of the store is logged and does not fail it. */
  const guarded = async (what: string, work: () => Promise<unknown>, settle: () => void): Promise<void> => {
    try {
      await work()
    } catch (error) {
      logger.error(`An idempotency record could not be ${what}.`, { error })
    } finally {
      settle()
    }
  }

  const sweep = async (): Promise<void> => {
    for (let round = 0; round < 50; round++) {
      const page = await records.query({ index: 'by_expiry', to: new Date(clock.now()).toISOString(), limit: 200 })
      for (const { id } of page.items) await records.delete(id)
      if (page.nextCursor === undefined) return
    }
  }

  const sweepSometimes = (): void => {
    if (clock.monotonic() - sweptAt < sweepEveryMs) return
    sweptAt = clock.monotonic()
    sweep().catch((error: unknown) => logger.warn('Expired idempotency records could not be removed.', { error }))
  }

  return {
    async begin({ scope, key, digest, signal }) {
      sweepSometimes()
      const id = createHash('sha256')
        .update(JSON.stringify([scope, key]))
        .digest('hex')
      const fingerprint = createHash('sha256').update(digest).digest('hex')
      const deadline = clock.monotonic() + waitMs
      for (let first = running.get(id); first; first = running.get(id)) {
        if (first.digest !== fingerprint) return { kind: 'mismatch' }
        const left = deadline - clock.monotonic()
        if (left <= 0) return { kind: 'busy', retryAfterSeconds: 2 }
        await abortable(settlesWithin(first.settled, { limitMs: left, clock }), signal)
      }
      let settle: () => void = () => undefined
      const settled = new Promise<void>((resolve) => {
        settle = () => {
          running.delete(id)
          resolve()
        }
      })
      running.set(id, { digest: fingerprint, settled })
      try {
        const claimed = await claim(id, fingerprint)
        if (claimed === 'run') {
          return {
            kind: 'run',
            finish: (answer) =>
              guarded(
                'stored',
                () =>
                  records.put({
                    id,
                    digest: fingerprint,
                    state: 'done',
                    process: thisProcess,
                    lease_until: new Date(clock.now()).toISOString(),
                    answer: sealAnswer(answer, { scope, key, digest }),
                    expires_at: new Date(clock.now() + keptMs).toISOString(),
                  }),
                settle,
              ),
            abandon: () => guarded('removed', () => records.delete(id), settle),
          }
        }
        settle()
        if (typeof claimed === 'object') {
          const answer = openAnswer(claimed.answer, { scope, key, digest })
          return answer ? { kind: 'replay', answer } : { kind: 'mismatch' }
        }
        return claimed === 'busy' ? { kind: 'busy', retryAfterSeconds: 5 } : { kind: 'mismatch' }
      } catch (error) {
        settle()
        throw error
      }
    },
  }
}
