import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createJsonPool } from './json-pool.js'
import { smallObjects } from './testing/small-objects.js'

describe('a JSON body of megabytes', () => {
  it('is read without blocking the event loop', async () => {
    const text = JSON.stringify({ items: smallObjects() })
    const all = new TextEncoder().encode(text)
    const schema = Type.Object({ items: Type.Array(Type.Unknown()) })
    const pool = createJsonPool({ logger: { warn: (message) => expect.fail(message) }, maxThreads: 1 })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const read = await pool.read([all], { schema, maxDepth: 100, maxValues: 1_000_000 }, new AbortController().signal)
    delay.disable()
    await pool.close()
    expect(read.problems).to.deep.equal([])
    expect(JSON.stringify(read.body)).to.equal(text)
    const startedAt = performance.now()
    JSON.parse(text)
    const inThreadMs = performance.now() - startedAt
    expect(delay.percentile(99) / 1e6, '99th percentile of the delay, beside the time that parsing here takes').to.be.lessThan(
      inThreadMs / 3,
    )
  })
})
