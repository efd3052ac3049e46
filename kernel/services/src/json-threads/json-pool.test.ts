import { setTimeout } from 'node:timers/promises'
import type { JsonPool } from '@agent-service/kernel-core/http/body'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createJsonPool } from './json-pool.js'

const rules = { schema: Type.Object({ text: Type.String() }), maxDepth: 100, maxValues: 1_000 }

const bodyOf = (length: number): readonly Uint8Array<ArrayBuffer>[] => [
  new TextEncoder().encode(JSON.stringify({ text: 'x'.repeat(length) })),
]

describe('the threads for large JSON bodies', () => {
  const never = new AbortController().signal
  let warnings: string[] = []
  let pool: JsonPool
  beforeEach(() => {
    warnings = []
    pool = createJsonPool({ logger: { warn: (message) => warnings.push(message) }, maxThreads: 2, maxThreadMb: 32 })
  })
  afterEach(() => pool.close())

  const read = async (length: number, signal: AbortSignal = never): Promise<number | string> =>
    pool.read(bodyOf(length), rules, signal).then(
      ({ body }) => (body as { readonly text: string }).text.length,
      (error: { readonly code?: string; readonly name: string }) => error.code ?? error.name,
    )

  it('survive a body that takes more memory than a thread has: only that body fails, and the next one is read', async () => {
    expect(await Promise.all([read(28_000_000), read(400_000)])).to.deep.equal(['body_too_complex', 400_000])
    expect(await read(28_000_000)).to.equal('body_too_complex')
    expect(await Promise.all([read(400_001), read(400_002), read(400_003)])).to.deep.equal([400_001, 400_002, 400_003])
    expect(warnings).to.deep.equal([])
  })

  it('release a body whose exchange ends, while it is read and before', async () => {
    const exchange = new AbortController()
    const reading = read(5_000_000, exchange.signal)
    setImmediate(() => exchange.abort(new Error('gone')))
    expect([await reading, await read(400_000, exchange.signal)]).to.deep.equal(['ClientDisconnectedError', 'ClientDisconnectedError'])
    expect(await read(400_000)).to.equal(400_000)
  })

  it('end with the pool, and bodies that are being read fail', async () => {
    const reading = read(5_000_000)
    await Promise.all([pool.close(), pool.close()])
    expect([await reading, await read(400_000)]).to.deep.equal(['overloaded', 'overloaded'])
  })

  it('end while they load their task, without ending the process', async () => {
    const threads = 4
    const create = (): JsonPool => createJsonPool({ logger: { warn: () => {} }, maxThreads: threads })
    const readAll = (target: JsonPool) =>
      Promise.allSettled(Array.from({ length: threads }, () => target.read(bodyOf(1_000), rules, never)))
    const started = performance.now()
    const measured = create()
    await readAll(measured)
    const loadMs = performance.now() - started
    await measured.close()
    // Threads load their modules in the second half of this time.
    for (let part = 0.5; part < 1; part += 0.05) {
      const loading = create()
      const reading = readAll(loading)
      await setTimeout(loadMs * part)
      await loading.close()
      await reading
    }
  })
})
