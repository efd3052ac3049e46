import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { runChild } from '@agent-service/sdk/process'
import { expect } from 'chai'
import { docxOf, paragraph } from '../test-support/office-files.js'
import { createTestPool } from '../test-support/test-pool.js'
import { defaultReaderLimits, readerCommand } from './reader-command.js'
import type { ReaderPool } from './reader-pool.js'

const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const never = new AbortController().signal
const job = { maxCharacters: 1_000 }

/** What a promise is rejected with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  )

/** A document that takes seconds. */
const long = docxOf(paragraph('x').repeat(200_000))

describe('the processes that read documents', () => {
  let pool: ReaderPool
  afterEach(() => pool.close())

  it('read one document after the other', async () => {
    pool = createTestPool()
    const first = await pool.read(job, bytesOf('one'), { holder: 'ada', signal: never })
    const second = await pool.read(job, bytesOf('two'), { holder: 'ada', signal: never })
    expect([first.text, second.text, pool.size]).to.deep.equal(['one', 'two', 1])
    expect(first.answer).to.deep.include({ outcome: 'read', mediaType: 'text/plain', cut: false })
  })

  it('never read documents of two users, and are never more than allowed', async () => {
    pool = createTestPool()
    for (const holder of ['ada', 'ben', 'cem']) await pool.read(job, bytesOf('x'), { holder, signal: never })
    expect(pool.size).to.equal(2)
  })

  it('are replaced after so many documents', async () => {
    pool = createTestPool({ maxDocuments: 1 })
    await pool.read(job, bytesOf('x'), { holder: 'ada', signal: never })
    expect(pool.size).to.equal(0)
  })

  it('end when nothing is to be read', async () => {
    pool = createTestPool({ maxIdleMs: 1 })
    await pool.read(job, bytesOf('x'), { holder: 'ada', signal: never })
    while (pool.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('end with a document that takes too long', async () => {
    pool = createTestPool({ limitMs: 1 })
    const { answer } = await pool.read(job, long, { holder: 'ada', signal: never })
    expect(answer).to.include({ outcome: 'too-costly', limit: '0.001 seconds' })
    expect(pool.size).to.equal(0)
  })

  it('end when their work is aborted', async () => {
    pool = createTestPool()
    const abort = new AbortController()
    const reading = failureOf(pool.read(job, long, { holder: 'ada', signal: abort.signal }))
    abort.abort(new Error('enough'))
    expect(await reading).to.have.property('message', 'enough')
    expect(pool.size).to.equal(0)
  })

  it('end with the pool', async () => {
    pool = createTestPool()
    const reading = failureOf(pool.read(job, long, { holder: 'ada', signal: never }))
    await pool.close()
    expect(await reading).to.be.instanceOf(Error)
    expect(await failureOf(pool.read(job, bytesOf('x'), { holder: 'ada', signal: never }))).to.be.instanceOf(Error)
    expect(pool.size).to.equal(0)
  })

  it('are ended by the system when they take too much memory outside of the heap', async () => {
    if (process.platform !== 'linux') return
    pool = createTestPool({ limits: { heapMiB: 384, memoryMiB: 192, cpuSeconds: 60 } })
    const { answer } = await pool.read(job, new Uint8Array(60 * 1024 * 1024).fill(0x61), { holder: 'ada', signal: never })
    expect(answer).to.include({ outcome: 'too-costly' })
  })

  it('are ended by the system when they take too much time, even without the service', async () => {
    pool = createTestPool({ limits: { heapMiB: 384, memoryMiB: 768, cpuSeconds: 1 } })
    const { answer } = await pool.read(job, long, { holder: 'ada', signal: never })
    expect(answer).to.include({ outcome: 'too-costly', limit: 'the time that one document may take' })
  })
})

describe('a process that reads documents', () => {
  it('has no network, no variables, no file to write and no program to start', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const command = readerCommand(defaultReaderLimits)
      const marker = `/tmp/reader-wrote-${process.pid}`
      const attempts = `
        import { confineProcess } from ${JSON.stringify(new URL('../reader/confine-process.js', import.meta.url).href)}
        confineProcess()
        const net = await import('node:net'), fs = await import('node:fs'), child = await import('node:child_process'), http = await import('node:http')
        const tried = {}
        const attempt = async (name, work) => { try { await work(); tried[name] = 'worked' } catch (error) { tried[name] = 'refused' } }
        const port = ${(server.address() as AddressInfo).port}
        await attempt('fetch', () => fetch('http://127.0.0.1:' + port))
        await attempt('connect', () => net.connect(port, '127.0.0.1'))
        await attempt('socket', () => new net.Socket().connect(port, '127.0.0.1'))
        await attempt('http', () => http.get('http://127.0.0.1:' + port))
        await attempt('write', () => fs.writeFileSync(${JSON.stringify(marker)}, 'x'))
        await attempt('spawn', () => child.spawn('/bin/true'))
        tried.variables = Object.keys(process.env).filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))
        tried.folder = process.cwd()
        process.stdout.write(JSON.stringify(tried))
      `
      const args = [...(command.args ?? []).slice(0, -1), '--input-type=module', '-e', attempts]
      const { output } = await runChild({ ...command, args, maxOutputBytes: 10_000, maxLifeMs: 30_000 })
      expect(JSON.parse(Buffer.from(output).toString())).to.deep.equal({
        ...{ fetch: 'refused', connect: 'refused', socket: 'refused', http: 'refused', write: 'refused', spawn: 'refused' },
        ...{ variables: [], folder: '/' },
      })
      expect(existsSync(marker)).to.equal(false)
    } finally {
      server.close()
    }
  })
})
