import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSystemClock, type KernelDatabase, openDatabase } from '@agent-service/kernel/testing'
import type { Database } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { LostCallRecord } from '../calls/lost-calls.js'
import { readCatalogue } from '../catalogue/read-catalogue.js'
import type { CallRecord } from '../common/call-record.js'
import { emptyDatabase, repositoryResources } from '../test-support/fakes.js'
import { silentLog } from '../test-support/token-counter.js'
import { createLossLedger, type LossLedger } from './loss-ledger.js'
import { callCollection, type StoredCall } from './stored-call.js'
import { createUsageLedger, type UsageLedger } from './usage-ledger.js'
import { daySumCollection } from './usage-sum.js'
import { usageCollections } from './usage-user-data.js'

const begin = Date.now() - 60_000
const ended = (changes: Partial<CallRecord> = {}): CallRecord => ({
  attribution: { userId: 'ada', chatId: 'chat', runId: 'run' },
  ...{ group: 'primary', fallback: 0, retries: 0, connection: 'openai', brand: 'openai', model: 'gpt-4o-mini', protocol: 'completions' },
  price: undefined,
  ...{ startedAt: begin, durationMs: 5, firstTokenMs: undefined, outcome: 'completed', failure: undefined, stopReason: 'stop' },
  usage: { input_tokens: 7, cached_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0 },
  ...{ responseModel: undefined, requestId: undefined, inOnePiece: false },
  ...changes,
})
const lost = (changes: Partial<LostCallRecord> = {}): LostCallRecord => ({
  ...ended(),
  attribution: { userId: 'ada', chatId: 'chat', runId: 'run' },
  ...{ id: 'run/1', startedAt: begin, replacedAt: begin + 1_000, durationMs: 0, outcome: 'lost', stopReason: undefined },
  usage: { input_tokens: 1_000_000, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, estimated: true },
  ...changes,
})

describe('the usage of a lost call', () => {
  let folder: string
  let store: KernelDatabase
  let database: Database
  let errors: string[]
  let ledger: UsageLedger
  let losses: LossLedger

  const open = async (of: Database): Promise<void> => {
    const catalogue = await readCatalogue(repositoryResources)
    const shared = {
      database: of,
      catalogue: () => catalogue,
      log: { ...silentLog, error: (message: string) => void errors.push(message) },
    }
    ledger = createUsageLedger({ ...shared, clock: createSystemClock() })
    losses = createLossLedger({ ...shared, ledger })
  }
  const add = async (record: LostCallRecord): Promise<number | undefined> => (await losses.add([record]))[0]?.cost
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-lost-'))
    errors = []
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
    await open(database)
  })
  afterEach(async () => {
    await ledger.settled()
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  const stored = async (): Promise<readonly StoredCall[]> =>
    (await database.collection(callCollection).query({ index: 'by_user', equals: ['ada'] })).items

  it('is stored once per call however often it is reported, at the time of the call', async () => {
    ledger.add(ended({ startedAt: begin - 60_000 }))
    const [one, again, other] = [await add(lost()), await add(lost()), await add(lost({ id: 'run/2' }))]
    expect(one).to.be.greaterThan(0)
    expect([again, other]).to.deep.equal([undefined, one])
    const calls = (await stored()).filter(({ outcome }) => outcome === 'lost')
    expect(calls).to.have.length(2)
    expect(calls[0]).to.include({ estimated: true, input_tokens: 1_000_000, cost_nano_usd: one, duration_ms: 0 })
    for (const { id } of calls) expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).to.equal(begin)
    const [sum] = (await database.collection(daySumCollection).query({ index: 'by_user', equals: ['ada'] })).items
    expect(sum).to.include({ calls: 3, failed_calls: 2, input_tokens: 2_000_007 })
  })

  it('is stored in a batch with others, and once if two callers report it', async () => {
    const all = Array.from({ length: 250 }, (_, index) => lost({ id: `run/${index}` }))
    const again = all.map((record) => ({ ...record }))
    const stored = await Promise.all([
      losses.add(again.slice(0, 1)),
      ...all.map((record) => losses.add([record])),
      losses.add(again.slice(1)),
    ])
    expect(stored.flat().map(({ record }) => record.id)).to.have.members(all.map(({ id }) => id))
    const [sum] = (await database.collection(daySumCollection).query({ index: 'by_user', equals: ['ada'] })).items
    expect(sum).to.include({ calls: 250, input_tokens: 250_000_000 })
  })

  it('is not stored if the call did end: it was answered or cancelled', async () => {
    ledger.add(ended({ startedAt: begin + 1 }))
    expect(await add(lost())).to.equal(undefined)
    ledger.add(ended({ startedAt: begin + 2_000, outcome: 'cancelled', usage: undefined }))
    expect(await add(lost({ id: 'run/2', startedAt: begin + 1_500, replacedAt: begin + 9_000 }))).to.equal(undefined)
    expect((await stored()).map(({ outcome }) => outcome)).to.deep.equal(['completed', 'cancelled'])
  })

  it('is stored if another attempt failed, another run ended, or another call ended before or after', async () => {
    ledger.add(ended({ outcome: 'failed', usage: undefined }))
    ledger.add(ended({ attribution: { userId: 'ada', chatId: 'chat', runId: 'another' } }))
    ledger.add(ended({ startedAt: begin - 1 }))
    ledger.add(ended({ startedAt: begin + 1_000 }))
    expect(await add(lost())).to.be.greaterThan(0)
  })

  it('is missing if it cannot be stored, which is logged', async () => {
    await open(emptyDatabase)
    expect(await add(lost())).to.equal(undefined)
    expect(errors).to.deep.equal(['The usage of lost model calls could not be stored; it is missing in the sums.'])
  })
})
