import { createControlledClock } from '@agent-service/kernel/testing'
import type { Database } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { runCollection } from '../../store/runs/run.js'
import { type RunDriverRecord, runDriverCollection } from '../../store/runs/run-driver-record.js'
import { createRecordingLogger } from '../../test-support/fake-tools.js'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { queuedRun } from '../../test-support/queued-run.js'
import { createRunLog } from '../log/run-log.js'
import { createRunClaims, isClaimed } from './claim-run.js'
import { createRunLeases } from './run-leases.js'

const begin = (shared: boolean) => {
  const clock = createControlledClock()
  const memory = createMemoryDatabase({ shared })
  const process = (driverId: string) => {
    const leases = createRunLeases({ database: memory.database, clock, logger: createRecordingLogger(), driverId })
    const log = createRunLog({
      database: memory.database,
      clock,
      events: { record: () => undefined, publishDelta: () => 0, position: () => 0 },
    })
    const accounts = { get: async () => undefined } as never
    const claims = createRunClaims({ database: memory.database, accounts, clock, log, leases, inference: { groups: () => [] } })
    const control = { signal: new AbortController().signal, stopCause: () => undefined, reportUnderWay: () => undefined }
    return { leases, log, take: (id: string, force = false) => claims.stored(id, control, { force }) }
  }
  memory.documents(runCollection).set('run', queuedRun('run'))
  return { clock, memory, process }
}

const heldBy = (database: Database, leases: ReturnType<typeof createRunLeases>, driver: string | null) =>
  database.transaction((transaction) => leases.heldMs(transaction, { driver }))

describe('which process may drive a run', () => {
  it('is the one that has it as long as it is alive, and then any other', async () => {
    const { clock, memory, process } = begin(true)
    const [one, other] = [process('one'), process('other')]
    await one.leases.begin()
    await other.leases.begin()
    const taken = await one.take('run')
    if (!isClaimed(taken)) return expect.fail('the first process did not get the run')
    await clock.advance(25_000)
    // It has signed on: the other is told for how long it may still be there.
    const refused = await other.take('run')
    expect(refused).to.have.property('heldMs').that.is.greaterThan(20_000)
    // It gives no more signs, as after SIGKILL: its last one was at 20 seconds.
    await one.leases.end()
    memory.documents(runDriverCollection).set('one', { id: 'one', lease_until: new Date(clock.now() + 1_000).toISOString() })
    expect(await other.take('run')).to.deep.equal({ heldMs: 6_000 })
    await clock.advance(6_000)
    const next = await other.take('run')
    if (!isClaimed(next)) return expect.fail('the second process did not get the run')
    expect(next.session.run).to.include({ driver: 'other', epoch: taken.session.run.epoch + 1 })
    // What the first one still wants to write is refused.
    const late = await one.log.append(taken.session.run, { steps: [{ type: 'run.started' }] }).catch((error: unknown) => error)
    expect(late).to.have.property('code', 'run_superseded')
    await other.leases.end()
    expect([...memory.documents(runDriverCollection).keys()]).to.deep.equal(['one'])
    expect(clock.pending()).to.equal(0)
  })

  it('is any process after an orderly stop, for a run without a driver, and if forced', async () => {
    const { memory, process } = begin(true)
    const [one, other] = [process('one'), process('other')]
    await one.leases.begin()
    expect(await heldBy(memory.database, other.leases, null)).to.equal(0)
    expect(await heldBy(memory.database, other.leases, 'one')).to.be.greaterThan(0)
    expect(await heldBy(memory.database, one.leases, 'one')).to.equal(0)
    await one.take('run')
    expect(isClaimed(await other.take('run', true))).to.equal(true)
    await one.leases.end()
    expect(await heldBy(memory.database, other.leases, 'one')).to.equal(0)
  })

  it('needs no lease if one process owns the store', async () => {
    const { clock, memory, process } = begin(false)
    const one = process('one')
    await one.leases.begin()
    expect(memory.documents(runDriverCollection).size).to.equal(0)
    memory.documents(runDriverCollection).set('gone', { id: 'gone', lease_until: '2999-01-01T00:00:00.000Z' })
    expect(await heldBy(memory.database, one.leases, 'gone')).to.equal(0)
    await one.leases.end()
    expect(clock.pending()).to.equal(0)
  })

  it('forgets processes that crashed long ago, and reports a missed heartbeat', async () => {
    const { clock, memory, process } = begin(true)
    const drivers = memory.documents(runDriverCollection)
    const gone: RunDriverRecord = { id: 'gone', lease_until: new Date(clock.now() - 25 * 3_600_000).toISOString() }
    const lately: RunDriverRecord = { id: 'lately', lease_until: new Date(clock.now() - 3_600_000).toISOString() }
    for (const record of [gone, lately]) drivers.set(record.id, record)
    const one = process('one')
    await one.leases.begin()
    expect([...drivers.keys()].sort()).to.deep.equal(['lately', 'one'])
    await one.leases.end()
  })
})
