import type { Logger } from '@agent-service/sdk'
import type { Mail } from '@agent-service/sdk/services/mail'
import {
  createFakeAccounts,
  createFakeMetrics,
  createFakeUrls,
  createMemoryDatabase,
  createTestClock,
  type FakeAccounts,
  type TestClock,
} from '@agent-service/sdk/testing'
import type { MailSettings } from '../common/mail-section.js'
import { createMailMetrics } from '../common/metrics.js'
import { type AddressLetters, createAddressLetters } from '../outbox/address-letters.js'
import { type MailEngine, recoverAttempts, startMailEngine } from '../outbox/mail-engine.js'
import { createMail } from '../outbox/outbox.js'
import { createRates } from '../outbox/rates.js'
import { sendStoredMail } from '../outbox/send-mail.js'
import { createMailer, type Mailer } from '../smtp/mailer.js'
import { outboxCollection, type StoredMail } from '../store/stored-mail.js'

/** An outbox that outlives its processes. */
export interface MailBench {
  readonly clock: TestClock
  readonly mail: Mail
  readonly letters: AddressLetters
  readonly accounts: FakeAccounts
  /** The address of the account, as the confirmation knows it; a code is made for it alone. */
  unconfirmed: string | undefined
  /** Of each code that was asked for, whether it was for another attempt at its e-mail. */
  readonly retried: boolean[]
  readonly engine: MailEngine
  send(key: string, change?: object): Promise<string>
  stored(id: string): Promise<StoredMail>
  /** Every e-mail that has not ended. */
  waiting(): Promise<readonly StoredMail[]>
  /** Resolves once the e-mail has this state, after so many attempts at least. */
  until(id: string, state: StoredMail['state'], attempts?: number): Promise<StoredMail>
  /** The process dies without a word, and another one begins. */
  crash(): Promise<void>
  close(): Promise<void>
}

const silent: Logger = {
  ...{ debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  child: () => silent,
}

export async function openMailBench(
  settings: Partial<MailSettings> & { readonly port: number },
  options: { readonly ca?: string; readonly times?: object } = {},
): Promise<MailBench> {
  const clock = createTestClock()
  const database = createMemoryDatabase([outboxCollection])
  const accounts = createFakeAccounts()
  const full = { host: '127.0.0.1', security: 'none', max_per_hour: 500, max_per_user_per_hour: 100, ...settings } as MailSettings
  let codes = 0
  const confirmation = {
    request: async () => ({ email: bench.unconfirmed ?? '' }),
    issue: async (_userId: string, email: string, { retried = false } = {}) => {
      bench.retried.push(retried)
      return email === bench.unconfirmed ? `CODE-000${++codes}` : undefined
    },
  }
  const { from = 'Agent Service <agents@example.org>' } = settings
  let mailer: Mailer
  let engine: MailEngine
  const watchers = new Set<() => void>()
  const begin = async (): Promise<void> => {
    mailer = createMailer(full, { urls: createFakeUrls(), ...options })
    // A process that is dead neither sends nor stores.
    const mine = mailer
    const parts = {
      ...{ database, clock, accounts, confirmation, urls: createFakeUrls(), mailer, from },
      rates: createRates(clock, { perHour: full.max_per_hour, perUser: full.max_per_user_per_hour }),
      metrics: createMailMetrics(createFakeMetrics(), () => false),
    }
    await recoverAttempts(database, clock)
    engine = startMailEngine({
      ...{ database, clock, log: silent },
      send: async (id) => {
        const result = mine === mailer ? await sendStoredMail({ ...parts, database: living(mine) }, id) : undefined
        for (const watch of watchers) watch()
        return result
      },
    })
    engine.wake()
  }
  const living = (mine: Mailer): typeof database => ({
    ...database,
    transaction: (work, how) => (mine === mailer ? database.transaction(work, how) : Promise.reject(new Error('The process is dead.'))),
  })
  await begin()
  const outbox = database.collection(outboxCollection)
  const stored = async (id: string): Promise<StoredMail> => {
    const found = await outbox.get(id)
    if (!found) throw new Error(`There is no e-mail ${id}.`)
    return found
  }
  const mail = createMail({
    ...{ database, clock, accounts, domain: 'example.org' },
    status: () => ({ available: true }),
    wake: () => engine.wake(),
  })
  const letters = createAddressLetters({
    ...{ database, clock, confirmation, domain: 'example.org', log: silent },
    status: () => ({ available: true }),
    wake: () => engine.wake(),
  })
  const bench: MailBench = {
    ...{ clock, mail, letters, accounts, stored, unconfirmed: undefined, retried: [] },
    get engine() {
      return engine
    },
    async send(key, change = {}) {
      const { id } = await mail.send({ userId: 'user-1', key, subject: `About ${key}`, text: 'Hello.', ...change })
      return id
    },
    waiting: async () => (await outbox.query({ index: 'by_waiting', equals: ['user-1', true], limit: 100 })).items,
    async until(id, state, attempts = 0) {
      for (;;) {
        const next = new Promise<void>((resolve) => watchers.add(resolve))
        const found = await stored(id)
        if (found.state === state && found.attempts >= attempts) return found
        await next
      }
    },
    async crash() {
      const dead = mailer
      void engine.end()
      mailer = { send: async () => undefined, verify: async () => undefined, explain: dead.explain, close: () => undefined }
      dead.close()
      await begin()
    },
    async close() {
      await engine.end()
      mailer.close()
    },
  }
  return bench
}
