import { setTimeout as delay } from 'node:timers/promises'
import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createClient } from './support/clients.js'

describe('the limit of account routes by a real clock', function () {
  this.timeout(30_000)

  it('6.3.1 accepts 10 of 30 at once and about 5 more after a second', async () => {
    const kernel = await createTestKernel()
    try {
      const client = createClient(kernel.url)
      // Opens the connections, so that the burst is one.
      await Promise.all(Array.from({ length: 30 }, () => client.send('GET', '/healthz')))
      const burst = async (): Promise<number> => {
        const answers = await Promise.all(Array.from({ length: 30 }, () => client.send('GET', '/api/auth/config')))
        return answers.filter(({ status }) => status === 200).length
      }
      const began = performance.now()
      const first = await burst()
      const firstMs = performance.now() - began
      // What the bucket got while the burst went on is the machine's doing.
      expect(first).to.be.within(10, 10 + Math.ceil(firstMs / 200))
      await delay(1_000)
      const second = await burst()
      const refilled = Math.ceil((performance.now() - began) / 200)
      expect(second).to.be.within(4, refilled)
    } finally {
      await kernel.stop()
    }
  })
})
