import { once } from 'node:events'
import type { ServiceError } from '@agent-service/sdk'
import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { SdkThread } from './sdk-thread.js'
import { createThreadPool } from './thread-pool.js'

/** A thread that only knows whether it was closed. */
function createPlainThread(): SdkThread & { isOver: boolean } {
  const thread = {
    isOver: false,
    call: () => Promise.reject(new Error('not called')),
    close: async () => {
      thread.isOver = true
    },
  }
  return thread
}

describe('the threads of 1Password', () => {
  const open = (maxThreads?: number) => {
    const clock = createTestClock()
    const started: { id: string; thread: ReturnType<typeof createPlainThread> }[] = []
    const pool = createThreadPool({ clock, ...(maxThreads === undefined ? {} : { maxThreads }) })
    const use = <T>(id: string, work: (thread: SdkThread) => Promise<T>, digest = 'same'): Promise<T> => {
      const start = () => {
        const thread = createPlainThread()
        started.push({ id, thread })
        return thread
      }
      return pool.use({ id, digest, start }, new AbortController().signal, work)
    }
    const running = () => started.filter(({ thread }) => !thread.isOver).map(({ id }) => id)
    return { clock, pool, use, started, running }
  }
  const nothing = () => Promise.resolve()

  it('keeps a thread for the next call, and ends it when it has had no work for a minute', async () => {
    const { clock, use, started, running } = open()
    await use('one', nothing)
    await clock.advance(59_000)
    await use('one', nothing)
    await clock.advance(59_000)
    expect([started.length, running()]).to.deep.equal([1, ['one']])
    await clock.advance(2_000)
    expect(running()).to.deep.equal([])
    await use('one', nothing)
    expect(started).to.have.length(2)
  })

  it('does not end a thread that works, however long', async () => {
    const { clock, use, running } = open()
    const gate = new EventTarget()
    const work = use('one', async () => once(gate, 'open'))
    await use('one', nothing)
    await clock.advance(600_000)
    expect(running()).to.deep.equal(['one'])
    gate.dispatchEvent(new Event('open'))
    await work
  })

  it('ends the thread that was idle longest when there are too many', async () => {
    const { use, running } = open(2)
    for (const id of ['one', 'two', 'one', 'three']) await use(id, nothing)
    expect(running()).to.deep.equal(['one', 'three'])
  })

  it('lets calls wait while all threads work, and refuses when too many wait', async () => {
    const { use, running } = open(1)
    const gate = new EventTarget()
    const first = use('one', async () => once(gate, 'open'))
    const waiting = Array.from({ length: 64 }, () => use('two', nothing))
    const error = await use('three', nothing).then(
      () => expect.fail('It was expected to fail.'),
      (reason: ServiceError) => reason,
    )
    expect(error.code).to.equal('vault_unavailable')
    expect(running()).to.deep.equal(['one'])
    gate.dispatchEvent(new Event('open'))
    await Promise.all([first, ...waiting])
    expect(running()).to.deep.equal(['two'])
  })

  it('starts another thread for other credentials, and ends the old one after its work', async () => {
    const { use, started } = open()
    const gate = new EventTarget()
    const old = use('one', async () => once(gate, 'open'))
    await use('one', nothing, 'other')
    expect(started.map(({ thread }) => thread.isOver)).to.deep.equal([false, false])
    gate.dispatchEvent(new Event('open'))
    await old
    expect(started.map(({ thread }) => thread.isOver)).to.deep.equal([true, false])
  })

  it('does not use a thread that has ended, and closes those of a connection', async () => {
    const { pool, use, started, running } = open()
    await use('one', nothing)
    await started[0]?.thread.close()
    await use('one', nothing)
    await use('two', nothing)
    expect(started).to.have.length(3)
    await pool.close('one')
    expect(running()).to.deep.equal(['two'])
    await pool.closeAll()
    expect([running(), pool.size]).to.deep.equal([[], 0])
  })
})
