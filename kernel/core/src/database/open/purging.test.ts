import type { CommitBatch } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { createControlledClock } from '../../clock/testing/controlled-clock.js'
import { createGate, quietLog, rejection } from '../testing/test-database.js'
import { createPurging } from './purging.js'

const deletion: CommitBatch = { checks: [], writes: [{ kind: 'delete', collection: 'tests', id: 'a' }] }
const replacement: CommitBatch = { checks: [], writes: [{ kind: 'put', collection: 'tests', id: 'a', body: '{}', keys: [] }] }

describe('the purge of deleted data', () => {
  let clock: ReturnType<typeof createControlledClock>
  let begun: number[]
  let purging: ReturnType<typeof createPurging>
  /** The results of the next purges. */
  let purge: (signal: AbortSignal) => Promise<void>

  beforeEach(async () => {
    clock = createControlledClock()
    begun = []
    purge = async () => undefined
    const connection = {
      purge({ signal }: { readonly signal: AbortSignal }) {
        begun.push(clock.monotonic())
        return purge(signal)
      },
    }
    purging = createPurging({ connection, clock, log: quietLog })
  })
  afterEach(() => purging.stop())

  it('follows the start automatically, so that a killed process leaves nothing', async () => {
    await clock.advance(3_000)
    expect(begun).to.deep.equal([3_000])
    await clock.advance(3_600_000)
    expect(begun).to.have.length(1)
  })

  it('follows deletions within a second, one purge for all of that second', async () => {
    await clock.advance(10_000)
    for (let number = 0; number < 5; number += 1) {
      purging.committed(deletion)
      await clock.advance(100)
    }
    await clock.advance(1_000)
    expect(begun).to.deep.equal([3_000, 11_000])
  })

  it('follows a possible replacement within ten minutes, and does not follow a check', async () => {
    await clock.advance(10_000)
    purging.committed({ checks: [], writes: [] })
    await clock.advance(3_600_000)
    purging.committed(replacement)
    await clock.advance(600_000)
    expect(begun).to.deep.equal([3_000, 4_210_000])
  })

  it('comes sooner after a deletion that follows a replacement', async () => {
    await clock.advance(10_000)
    purging.committed(replacement)
    purging.committed(deletion)
    await clock.advance(700_000)
    expect(begun).to.deep.equal([3_000, 11_000])
  })

  it('takes at most a twentieth of the time, and covers deletions during a purge', async () => {
    const gate = createGate()
    purge = () => gate.opened
    await clock.advance(5_000)
    purging.committed(deletion)
    await clock.advance(5_000)
    purge = async () => undefined
    gate.open()
    await clock.advance(0)
    // It ran from 3,000 to 10,000.
    await clock.advance(20 * 7_000 + 2_000)
    expect(begun).to.have.length(2)
    expect(begun[1]).to.be.within(10_000 + 20 * 7_000, 10_000 + 20 * 7_000 + 2_000)
  })

  it('is tried again a minute after it failed', async () => {
    purge = () => Promise.reject(new Error('busy'))
    await clock.advance(3_000)
    purge = async () => undefined
    await clock.advance(60_000)
    expect(begun).to.deep.equal([3_000, 63_000])
  })

  it('ends with the database, and does not begin again', async () => {
    let reason: unknown
    purge = (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(signal.reason)
        })
      })
    await clock.advance(3_000)
    purging.committed(deletion)
    await purging.stop()
    expect(reason).to.have.property('name', 'AbortError')
    expect(clock.pending()).to.equal(0)
    purging.committed(deletion)
    expect(clock.pending()).to.equal(0)
  })

  it('can be requested and awaited', async () => {
    await purging.purge({ signal: new AbortController().signal })
    expect(begun).to.deep.equal([0])
    purge = () => Promise.reject(new Error('full'))
    expect((await rejection(purging.purge({ signal: new AbortController().signal }))).message).to.equal('full')
  })
})
