import { expect } from 'chai'
import { type Run, runCollection } from '../store/runs/run.js'
import { createRecordingLogger } from '../test-support/fake-tools.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { queuedRun } from '../test-support/queued-run.js'
import { createOrphanedRuns } from './orphaned-runs.js'

const child = (id: string, parentId: string): Run =>
  queuedRun(id, 'u', { status: 'waiting', parent: { run_id: parentId, call_id: 'c', depth: 1 } })

describe('runs below others that are open when the service starts', () => {
  const begin = () => {
    const memory = createMemoryDatabase()
    const runs = memory.documents(runCollection)
    const cancelled: string[] = []
    const cancel = async (id: string) => {
      cancelled.push(id)
      return queuedRun(id)
    }
    const ends: (() => void)[] = []
    const ended = (): Promise<void> => new Promise((resolve) => void ends.push(resolve))
    const unwantedRuns = createOrphanedRuns({ database: memory.database, runs: { cancel, ended }, logger: createRecordingLogger() })
    const endParent = async (): Promise<void> => {
      runs.set('going on', queuedRun('going on', 'u', { status: 'completed' }))
      for (const end of ends) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const run of [
      queuedRun('going on', 'u', { status: 'running' }),
      queuedRun('ended', 'u', { status: 'cancelled' }),
      queuedRun('to end', 'u', { status: 'running', cancel_requested_at: '2026-01-01T00:00:00.000Z' }),
      child('wanted', 'going on'),
      child('of one that ended', 'ended'),
      child('of one about to end', 'to end'),
      child('of a deleted one', 'gone'),
      queuedRun('of a person', 'u', { status: 'waiting' }),
    ])
      runs.set(run.id, run)
    return { unwantedRuns, runs, cancelled, endParent }
  }
  const orphaned = ['of one that ended', 'of one about to end', 'of a deleted one']

  it('end if their parent has ended, and only then', async () => {
    const { unwantedRuns, runs, cancelled } = begin()
    const ended = await Promise.all([...runs.values()].map(async (run) => ((await unwantedRuns.end(run)) ? [run.id] : [])))
    expect(ended.flat()).to.deep.equal(orphaned)
    expect(cancelled).to.have.members(orphaned)
  })

  it('also end while they wait for a person', async () => {
    const { unwantedRuns, cancelled, endParent } = begin()
    await unwantedRuns.endWaiting()
    expect(cancelled).to.deep.equal(orphaned)
    await endParent()
    expect(cancelled).to.deep.equal([...orphaned, 'wanted'])
  })

  it('end once their parent has, those without a parent never', async () => {
    const { unwantedRuns, runs, cancelled, endParent } = begin()
    for (const id of ['wanted', 'of a person']) unwantedRuns.endWithParent(runs.get(id) ?? expect.fail('no run'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(cancelled).to.deep.equal([])
    await endParent()
    expect(cancelled).to.deep.equal(['wanted'])
  })
})
