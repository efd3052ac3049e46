import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { smallObjects } from '../testing/small-objects.js'
import { createJsonWorker } from './create-json-worker.js'

describe('a JSON body of megabytes', () => {
  it('is read without holding up the event loop', async () => {
    const text = JSON.stringify({ items: smallObjects() })
    const all = new TextEncoder().encode(text)
    const parts = Array.from({ length: Math.ceil(all.length / 65_536) }, (_, index) => all.slice(index * 65_536, (index + 1) * 65_536))
    const schema = Type.Object({ items: Type.Array(Type.Unknown()) })
    const worker = createJsonWorker()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const read = await worker.read(parts, { schema, maximumDepth: 100 }, new AbortController().signal)
    delay.disable()
    await worker.close()
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
