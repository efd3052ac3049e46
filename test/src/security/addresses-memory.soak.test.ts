import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type MeasuredService, startMeasuredService } from '../bad-input/support/start-measured-service.js'
import { createClient } from './support/clients.js'

const mebibyte = 1024 * 1024
const program = fileURLToPath(new URL('./support/limiter-memory.js', import.meta.url))

describe('memory after requests from very many addresses', function () {
  this.timeout(120_000)

  it('6.3.1 stays flat behind the limit of account routes: 200,000 addresses take what 100,000 take', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program])
    const { heaps, refused } = JSON.parse(stdout) as { readonly heaps: readonly number[]; readonly refused: number }
    const [first = 0, second = 0, ...rest] = heaps
    expect([rest.length, refused]).to.deep.equal([2, 0])
    // The table of the map grows once more when its first entries are replaced; after that nothing
    // does.
    expect((second - first) / mebibyte).to.be.below(4)
    for (const heap of rest) expect((heap - second) / mebibyte).to.be.below(0.5)
  })

  it('6.3.1 stays flat in the whole service', async () => {
    const service: MeasuredService = await startMeasuredService({
      upstreamUrl: 'http://127.0.0.1:9/v1',
      environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' },
    })
    try {
      const client = createClient(service.url)
      let addresses = 0
      const requests = async (times: number): Promise<void> => {
        const callers = Array.from({ length: 16 }, async () => {
          for (let index = 0; index < times / 16; index += 1) {
            addresses += 1
            const address = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
            const { status } = await client.send('GET', '/api/auth/config', { headers: { 'x-forwarded-for': address } })
            expect(status).to.equal(200)
          }
        })
        await Promise.all(callers)
      }
      await requests(2_000)
      const before = await service.usedMemory()
      await requests(5_000)
      const added = (await service.usedMemory()) - before
      // A bucket with its address is about 200 bytes; nothing else of a request may stay.
      expect((added * mebibyte) / 5_000, 'bytes for each address').to.be.below(500)
    } finally {
      expect(await service.close()).to.equal(0)
    }
  })
})
