import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestDatabase, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import type { ProcessLeases } from '@agent-service/kernel-core/leases'
import { Scheduler } from '@agent-service/kernel-core/scheduler'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Database } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { leaseCollection, leaseCollections, processCollection } from './lease-records.js'
import { openProcessLeases } from './process-leases.js'

const base = Date.UTC(2026, 0, 1, 1, 59)

/** One process of the deployment, with a clock of its own and a way to lose the store. */
interface Process {
  readonly name: string
  readonly clock: ControlledClock
  readonly leases: ProcessLeases
  readonly scheduler: Scheduler
  /** Its writes no longer reach the store, as after SIGKILL or a network failure. */
  cutOff(): void
  reconnect(): void
}

describe('jobs of a deployment with several processes', () => {
  let store: TestDatabase
  let database: Database
  let processes: Process[]
  let runs: { readonly by: string; readonly epoch: number; readonly scheduledFor?: number; readonly signal: AbortSignal }[]

  beforeEach(async () => {
    store = await openTestDatabase({ cache: { ttlSeconds: 1, maxEntries: 0 } })
    database = await store.database.openFor('kernel', leaseCollections)
    processes = []
    runs = []
  })
  afterEach(() => store.end())

  const start = async (
    name: string,
    options: { readonly aheadMs?: number; readonly shared?: boolean; readonly plugins?: Readonly<Record<string, string>> } = {},
  ): Promise<Process> => {
    const clock = createControlledClock({ now: base + (options.aheadMs ?? 0) })
    let cut = false
    const line = {
      cutOff() {
        cut = true
      },
      reconnect() {
        cut = false
      },
    }
    const reach = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (cut) throw new Error('The store cannot be reached.')
      return work()
    }
    const own: Database = {
      shared: options.shared ?? true,
      collection(definition) {
        const collection = database.collection(definition)
        return {
          ...collection,
          put: (document, putOptions) => reach(() => collection.put(document, putOptions)),
          query: (query) => reach(() => collection.query(query)),
          delete: (id) => reach(() => collection.delete(id)),
        }
      },
      transaction: (work, transactionOptions) => reach(() => database.transaction(work, transactionOptions)),
    }
    const log = createRecordingLog()
    const plugins = () => options.plugins ?? {}
    const leases = await openProcessLeases({ database: own, clock, log, processId: name, plugins })
    const scheduler = new Scheduler(clock, log, { scheduler: { poll_secs: 60 }, timeZone: 'UTC' }, leases)
    const process = { name, clock, leases, scheduler, ...line }
    processes.push(process)
    return process
  }

  /** Lets the same time pass for all of them, a second at a time. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      for (const { clock } of processes) await clock.advance(1_000)
    }
  }

  const jobOf = (by: string, times: Pick<SchedulerJob, 'everySeconds' | 'schedule'> = { everySeconds: 5 }): SchedulerJob => ({
    specVersion: 1,
    id: 'tester.count',
    title: 'Counts',
    ...times,
    run: async (run) => void runs.push({ by, ...run }),
  })
  const addTo = (process: Process, times?: Pick<SchedulerJob, 'everySeconds' | 'schedule'>) =>
    process.scheduler.add(jobOf(process.name, times), { pluginId: 'tester' })
  const byWhom = (): readonly string[] => [...new Set(runs.map(({ by }) => by))]

  it('are run by one of them, however far their clocks are apart, and by another once it has ended', async () => {
    const one = await start('one')
    const other = await start('other', { aheadMs: -26 * 3_600_000 })
    addTo(one)
    addTo(other)
    await pass(60)
    expect(byWhom()).to.deep.equal(['one'])
    expect(runs).to.have.length(12)
    one.cutOff()
    const before = runs.length
    // It relies on the lease for 30 s at most; the other one begins after 35 s at the earliest and
    // a minute at the latest.
    await pass(33)
    expect(runs.slice(before).every(({ by }) => by === 'one')).to.equal(true)
    const late = runs.length
    await pass(27)
    expect(runs.slice(late).map(({ by }) => by)).to.include('other')
    expect(runs.slice(late).every(({ by }) => by === 'other')).to.equal(true)
    expect(runs.at(-1)?.epoch).to.be.greaterThan(runs[0]?.epoch ?? 0)
  })

  it('move to another at once when their process stops regularly or removes the job', async () => {
    const one = await start('one')
    const other = await start('other')
    const takeOff = addTo(one)
    addTo(other)
    await pass(6)
    expect(byWhom()).to.deep.equal(['one'])
    await takeOff()
    await pass(6)
    expect(runs.at(-1)?.by).to.equal('other')
    await other.leases.close()
    addTo(one)
    await pass(6)
    expect(runs.at(-1)?.by).to.equal('one')
    expect((await database.collection(processCollection).query({ index: 'by_begin' })).items.map(({ id }) => id)).to.deep.equal(['one'])
  })

  it('are aborted when their process may have lost the lease, and its late transactions are refused', async () => {
    const one = await start('one')
    const lease = await one.leases.take('thing')
    if (typeof lease === 'string') return expect.fail(`the lease is ${lease}`)
    one.cutOff()
    await pass(29)
    expect(lease.signal.aborted).to.equal(false)
    await pass(2)
    expect(lease.signal.aborted).to.equal(true)
    const other = await start('other')
    await pass(50)
    const taken = await other.leases.take('thing')
    expect(taken).to.have.property('epoch', lease.epoch + 1)
    one.reconnect()
    await pass(11)
    const late = await database.transaction((transaction) => one.leases.confirm(transaction, lease)).catch((error: unknown) => error)
    expect(late).to.have.property('code', 'lease_lost')
    expect(await one.leases.take('thing')).to.equal('held')
  })

  it('by the calendar run once for each time, also when their process dies just before it', async () => {
    const schedule = { cron: '0 2 * * *' }
    const one = await start('one')
    const other = await start('other', { aheadMs: 5_000 })
    addTo(one, { schedule })
    addTo(other, { schedule })
    await pass(70)
    expect(runs.map(({ scheduledFor }) => scheduledFor)).to.deep.equal([Date.UTC(2026, 0, 1, 2)])
    const [first] = runs
    const had = processes.find(({ name }) => name === first?.by)
    for (const { clock } of processes) clock.setNow(Date.UTC(2026, 0, 2, 1, 59, 30))
    had?.cutOff()
    processes = processes.filter((process) => process !== had)
    await pass(120)
    expect(runs.slice(1).map(({ scheduledFor, by }) => [scheduledFor, by === first?.by])).to.deep.equal([[Date.UTC(2026, 0, 2, 2), false]])
  })

  it('say which plugins the other living processes have', async () => {
    const one = await start('one', { plugins: { garden: '1.0.0', orchard: '2.0.0' } })
    const other = await start('other', { plugins: { garden: '1.1.0' } })
    expect(await one.leases.versionsElsewhere('garden')).to.deep.equal(['1.1.0'])
    expect(await one.leases.versionsElsewhere('orchard')).to.deep.equal([])
    expect(await one.leases.versionsElsewhere('constructor')).to.deep.equal([])
    expect(await other.leases.versionsElsewhere('orchard')).to.deep.equal(['2.0.0'])
    one.cutOff()
    await pass(60)
    expect(await other.leases.versionsElsewhere('orchard'), 'killed').to.deep.equal([])
    one.reconnect()
    await other.leases.close()
    expect(await one.leases.versionsElsewhere('garden'), 'stopped').to.deep.equal([])
  })

  it('cost no write and no timer if one process owns the store', async () => {
    const one = await start('one', { shared: false })
    addTo(one)
    await pass(60)
    expect(runs).to.have.length(12)
    expect((await database.collection(processCollection).query({ index: 'by_begin' })).items).to.deep.equal([])
    expect(await database.collection(leaseCollection).get('job:tester.count')).to.equal(undefined)
    expect(one.clock.pending()).to.equal(1)
  })
})
