import { createControlledClock } from '@agent-service/kernel/testing'
import type { EventInput } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { absentAgent } from '../../store/agents/new-agent.js'
import { type Run, runCollection } from '../../store/runs/run.js'
import { createRecordingLogger } from '../../test-support/fake-tools.js'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { queuedRun } from '../../test-support/queued-run.js'
import type { RunSession } from '../session/run-session.js'
import { createDeltaThrottle } from '../streaming/delta-throttle.js'
import type { RunClaims, RunControl } from './claim-run.js'
import { createRunManager } from './run-manager.js'
import type { RunLimits } from './run-slots.js'

const signal = new AbortController().signal

/** A manager over a driver that waits until a test ends its runs, or they are stopped. */
const begin = (options: { readonly stored?: readonly Run[]; readonly limits?: Partial<RunLimits>; readonly stubborn?: boolean } = {}) => {
  const clock = createControlledClock()
  const memory = createMemoryDatabase()
  const { database } = memory
  const runs = memory.documents(runCollection)
  for (const run of options.stored ?? []) runs.set(run.id, run)
  const logger = createRecordingLogger()
  const driven = new Map<string, { finish(): void; fail(error: Error): void; reportUnderWay(): void }>()
  const order: string[] = []
  const answered = new Set<string>()
  const taken: string[] = []
  const sessionOf = (run: Run, control: RunControl): RunSession => ({
    run,
    steps: [],
    lostCalls: [],
    announced: undefined,
    agent: absentAgent({ id: 'a', user_id: 'u', model_group: 'primary', created_at: '' }),
    callers: [],
    account: undefined as never,
    history: undefined,
    live: undefined,
    makesTitle: false,
    titleDue: false,
    partial: [],
    throttle: createDeltaThrottle(clock),
    outputs: new Map(),
    ...control,
  })
  const claims: RunClaims = {
    fresh: async ({ run }, control) => ({ session: sessionOf(run, control) }),
    async stored(runId, control) {
      taken.push(runId)
      const run = runs.get(runId)
      return run && { session: sessionOf(run, control) }
    },
  }
  const end = (run: Run, status: Run['status']): void => void runs.set(run.id, { ...run, status })
  const recorded: EventInput[] = []
  const manager = createRunManager({
    database,
    events: { record: (_transaction, event) => void recorded.push(event) },
    clock,
    claims,
    driver: {
      refuse: async () => undefined,
      drive(session) {
        const { run } = session
        order.push(run.id)
        return new Promise((resolve, reject) => {
          const leave = (): void => {
            driven.delete(run.id)
            if (session.stopCause() === 'cancel') end(run, 'cancelled')
            resolve()
          }
          driven.set(run.id, {
            reportUnderWay: session.reportUnderWay,
            finish() {
              end(run, 'completed')
              leave()
            },
            fail(error) {
              driven.delete(run.id)
              reject(error)
            },
          })
          if (options.stubborn) return
          if (session.signal.aborted) leave()
          else session.signal.addEventListener('abort', leave, { once: true })
        })
      },
    },
    policies: { expectQuestions: () => undefined },
    isAnswered: async (run) => answered.has(run.id),
    logger,
    limits: { maxConcurrent: 2, maxConcurrentPerUser: 2, maxOpenPerUser: 3, ...options.limits },
  })
  const post = (id: string, userId = 'u'): void => {
    const run = queuedRun(id, userId)
    runs.set(id, run)
    manager.begin({ run })
  }
  return { manager, recorded, answered, clock, logger, runs, driven, order, taken, post, settle: () => clock.advance(0) }
}

describe('the runs of a process', () => {
  it('start a few at a time, in order of arrival', async () => {
    const { post, driven, order, settle } = begin()
    for (const id of ['a', 'b', 'c', 'd']) post(id)
    await settle()
    expect(order).to.deep.equal(['a', 'b'])
    driven.get('a')?.finish()
    await settle()
    expect(order).to.deep.equal(['a', 'b', 'c'])
    expect(driven.size).to.equal(2)
  })

  it('report whether a further one would start at once', async () => {
    const { manager, post, driven, settle } = begin({ limits: { maxConcurrent: 3, maxConcurrentPerUser: 1 } })
    const rooms = (...users: string[]) => users.map((user) => manager.hasRoom(user))
    expect(rooms('a', 'b')).to.deep.equal([true, true])
    post('of a', 'a')
    expect(rooms('a', 'b')).to.deep.equal([false, true])
    post('of b', 'b')
    post('of c', 'c')
    expect(rooms('d')).to.deep.equal([false])
    await settle()
    driven.get('of a')?.finish()
    await settle()
    expect(rooms('a', 'b')).to.deep.equal([true, false])
    await manager.park()
    expect(rooms('a')).to.deep.equal([false])
  })

  it('of one user do not keep those of another waiting', async () => {
    const { post, order, settle } = begin({ limits: { maxConcurrent: 3, maxConcurrentPerUser: 2 } })
    for (const id of ['a', 'b', 'c']) post(id, 'busy')
    post('d', 'other')
    await settle()
    expect(order).to.deep.equal(['a', 'b', 'd'])
  })

  it('are limited for each user, including those that are being stored', async () => {
    const { manager, post, driven, settle } = begin()
    post('a')
    post('b')
    const release = manager.reserve('u')
    expect(() => manager.reserve('u'))
      .to.throw()
      .with.property('code', 'too_many_runs')
    expect(() => manager.reserve('other')).to.not.throw()
    release()
    release()
    manager.reserve('u')()
    await settle()
    driven.get('a')?.finish()
    await settle()
    manager.reserve('u')
    manager.reserve('u')
    expect(() => manager.reserve('u')).to.throw()
  })

  it('can be cancelled while they wait, without waiting for their turn', async () => {
    const { manager, post, order, settle } = begin({ limits: { maxConcurrent: 1 } })
    post('a')
    post('b')
    await settle()
    expect((await manager.cancel('b', { signal })).status).to.equal('cancelled')
    expect(order).to.deep.equal(['a', 'b'])
  })

  it('can be cancelled although this process does not drive them', async () => {
    const { manager, runs, taken } = begin()
    runs.set('lost', queuedRun('lost'))
    expect((await manager.cancel('lost', { signal })).status).to.equal('cancelled')
    expect(taken).to.deep.equal(['lost'])
    const error = await manager.cancel('absent', { signal }).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'not_found')
  })

  it('respond to a cancel before its signal aborts, and report it once', async () => {
    const { manager, recorded, post, driven, settle } = begin({ stubborn: true })
    post('a')
    await settle()
    const { finish } = driven.get('a') ?? expect.fail('not driven')
    expect((await manager.cancel('a', { signal: AbortSignal.abort() })).cancel_requested_at).to.not.equal(null)
    await manager.cancel('a', { signal: AbortSignal.abort() })
    expect(recorded.map(({ name, data }) => [name, data['run_id']])).to.deep.equal([['run.stopping', 'a']])
    finish()
  })

  it('are retried after errors of the store, later each time', async () => {
    const { clock, post, driven, taken, logger, settle } = begin()
    post('a')
    await settle()
    driven.get('a')?.fail(new Error('the disk is full'))
    await clock.advance(999)
    expect(taken).to.deep.equal([])
    await clock.advance(1)
    expect(taken).to.deep.equal(['a'])
    driven.get('a')?.fail(new Error('the disk is full'))
    await clock.advance(4_999)
    expect(taken).to.deep.equal(['a'])
    await clock.advance(1)
    expect(taken).to.deep.equal(['a', 'a'])
    expect(logger.lines.length).to.equal(2)
  })

  it('that rest can be cancelled, and leave no timer', async () => {
    const { manager, clock, post, driven, settle } = begin()
    post('a')
    await settle()
    driven.get('a')?.fail(new Error('the disk is full'))
    await settle()
    expect(clock.pending()).to.equal(1)
    expect((await manager.cancel('a', { signal })).status).to.equal('cancelled')
    expect(clock.pending()).to.equal(0)
  })

  it('of an earlier process resume once each, when they are ready', async () => {
    const { manager, taken, order, settle } = begin({ stored: [queuedRun('a'), queuedRun('b', 'u', { status: 'running' })] })
    let ready: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      ready = resolve
    })
    await manager.resumeAll(() => gate)
    await manager.resumeAll(() => gate)
    await settle()
    expect(order).to.deep.equal([])
    ready()
    await settle()
    expect(taken).to.have.members(['a', 'b'])
    expect(order).to.have.length(2)
  })

  it('of an earlier process resume a few at a time, and all in the end', async () => {
    const stored = Array.from({ length: 100 }, (_, index) => queuedRun(`run ${index}`))
    const { manager, driven, order, settle } = begin({ stored, limits: { maxConcurrent: 60, maxConcurrentPerUser: 60 } })
    await manager.resumeAll(async () => undefined)
    await settle()
    expect(order.length).to.equal(32)
    driven.get(order[0] ?? '')?.reportUnderWay()
    driven.get(order[1] ?? '')?.finish()
    await settle()
    expect(order.length).to.equal(34)
    for (let seen = 0; seen < order.length; seen += 1) {
      driven.get(order[seen] ?? '')?.reportUnderWay()
      await settle()
    }
    // One has ended; the rest waits for slots, and blocks no other user.
    expect(order.length).to.equal(61)
    while (driven.size > 0) {
      for (const run of driven.values()) run.finish()
      await settle()
    }
    expect(new Set(order).size).to.equal(100)
  })

  it('with a cancel from before a crash are cancelled at once', async () => {
    const { manager, runs, settle } = begin({ stored: [queuedRun('a', 'u', { cancel_requested_at: '2026-01-01T00:00:00.000Z' })] })
    await manager.resumeAll(() => new Promise(() => undefined))
    await settle()
    expect(runs.get('a')?.status).to.equal('cancelled')
  })

  it('park where they are: driven, waiting and resting ones', async () => {
    const { manager, clock, post, runs, driven, order, settle } = begin({ limits: { maxConcurrent: 2 } })
    for (const id of ['a', 'b', 'c']) post(id)
    await settle()
    driven.get('b')?.fail(new Error('the disk is full'))
    await settle()
    await manager.park()
    post('late')
    await settle()
    expect([...runs.values()].map(({ status }) => status)).to.deep.equal(['queued', 'queued', 'queued', 'queued'])
    expect(order).to.deep.equal(['a', 'b', 'c'])
    expect(clock.pending()).to.equal(0)
  })
})
