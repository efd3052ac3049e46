import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSystemClock, type KernelDatabase, openDatabase } from '@agent-service/kernel/testing'
import type { Database } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { silentLog } from '../test-support/token-counter.js'
import { storeCalls } from './store-calls.js'
import type { StoredCall } from './stored-call.js'
import { sumUsage } from './sum-usage.js'
import { daySumCollection } from './usage-sum.js'
import { usageCollections } from './usage-user-data.js'

const callOf = (id: string, purpose: string | null, cost: number): StoredCall => ({
  ...{ id, user_id: 'ada', agent_id: 'clerk', chat_id: 'chat', run_id: null, purpose, group: 'primary', fallback: 0, retries: 0 },
  ...{ provider: 'openai', model: 'small', protocol: 'completions', started_at: '2026-01-31T10:00:00.000Z', duration_ms: 5 },
  ...{ first_token_ms: null, outcome: 'completed', failure: null, stop_reason: 'stop', input_tokens: 7, cached_input_tokens: 0 },
  ...{ cache_write_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0, estimated: false, cost_nano_usd: cost },
  ...{ price_version: null, request_id: null, in_one_piece: false },
})

describe('sums of usage', () => {
  let folder: string
  let store: KernelDatabase
  let database: Database

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-sums-'))
    store = await openDatabase({
      driver: createMemoryDatabaseDriver(),
      path: folder,
      settings: {},
      cache: { ttlSeconds: 0, maxEntries: 0 },
      clock: createSystemClock(),
      log: silentLog,
      signal: AbortSignal.timeout(30_000),
    })
    database = await store.openFor('feature-inference', usageCollections)
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  const range = { from: '2026-01-31', to: '2026-01-31', userId: 'ada' }

  it('tell apart what calls were for, and are whole by model', async () => {
    await database.transaction((transaction) =>
      storeCalls(transaction, [callOf('1', null, 10), callOf('2', 'memory', 3), callOf('3', 'memory', 4)]),
    )
    await database.transaction((transaction) => storeCalls(transaction, [callOf('4', 'memory', 5), callOf('5', 'title', 1)]))
    const byPurpose = await sumUsage(database, range, 'purpose')
    expect(byPurpose.map(({ purpose, calls, cost_nano_usd }) => [purpose, calls, cost_nano_usd])).to.deep.equal([
      [null, 1, 10],
      ['memory', 3, 12],
      ['title', 1, 1],
    ])
    const [model, ...others] = await sumUsage(database, range, 'model')
    expect(others).to.deep.equal([])
    expect(model).to.include({ calls: 5, cost_nano_usd: 23 }).and.not.have.property('purpose')
  })

  it('of before go on as those of answers', async () => {
    await database.transaction((transaction) => storeCalls(transaction, [callOf('1', null, 10)]))
    const { items } = await database.collection(daySumCollection).query({ index: 'by_day', limit: 10 })
    const { purpose: _, ...earlier } = items[0] ?? expect.fail('There is no sum.')
    const migrated = daySumCollection.migrations?.[0]?.migrate(earlier)
    expect(migrated).to.deep.equal(items[0])
    await database.transaction((transaction) => storeCalls(transaction, [callOf('2', null, 5)]))
    expect(await sumUsage(database, range, 'purpose')).to.have.length(1)
  })
})
