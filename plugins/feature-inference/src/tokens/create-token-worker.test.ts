import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createTokenWorker, type TokenWorker } from './create-token-worker.js'

const open = new AbortController().signal

/** A clock whose callbacks run by hand. */
function createHandClock() {
  const due = new Map<symbol, { readonly milliseconds: number; callback(): void }>()
  return {
    after(milliseconds: number, callback: () => void) {
      const key = Symbol(String(milliseconds))
      due.set(key, { milliseconds, callback })
      return () => void due.delete(key)
    },
    waits: () => [...due.values()].map(({ milliseconds }) => milliseconds),
    pass() {
      const callbacks = [...due.values()]
      due.clear()
      for (const { callback } of callbacks) callback()
    },
  }
}

describe('the thread that counts tokens', () => {
  let clock: ReturnType<typeof createHandClock>
  let worker: TokenWorker

  beforeEach(() => {
    clock = createHandClock()
    worker = createTokenWorker({ clock })
  })
  afterEach(() => worker.close())

  it('starts on demand, counts in both encodings, and ends after a minute without work', async () => {
    expect(worker.running).to.equal(false)
    expect(await worker.count('o200k_base', ['hello world', '', 'hello'], open)).to.deep.equal([2, 0, 1])
    expect(clock.waits()).to.deep.equal([60_000])
    expect(await worker.count('cl100k_base', ['hello world'], open)).to.deep.equal([2])
    expect(clock.waits()).to.deep.equal([60_000])
    expect(worker.running).to.equal(true)
    clock.pass()
    expect(worker.running).to.equal(false)
    expect(clock.waits()).to.deep.equal([])
  })

  it('starts again after it has ended', async () => {
    await worker.count('o200k_base', ['one'], open)
    clock.pass()
    expect(await worker.count('o200k_base', ['one two three'], open)).to.deep.equal([3])
  })

  it('returns its own result to each concurrent caller', async () => {
    const counts = await Promise.all(['a', 'a b', 'a b c'].map((text) => worker.count('o200k_base', [text], open)))
    expect(counts).to.deep.equal([[1], [2], [3]])
  })

  it('stops a cancelled count, and continues the others', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const long = worker.count('o200k_base', [`${'lorem ipsum '.repeat(2_000_000)}`], controller.signal).catch((error: unknown) => error)
    const short = worker.count('o200k_base', ['hello world'], open)
    controller.abort(reason)
    expect(await long).to.equal(reason)
    expect(await short).to.deep.equal([2])
    expect(await worker.count('o200k_base', ['x'], controller.signal).catch((error: unknown) => error)).to.equal(reason)
  })

  it('cancels a count that takes longer than a minute', async () => {
    const slow = worker.count('o200k_base', ['lorem ipsum '.repeat(2_000_000)], open).catch((error: unknown) => error)
    expect(clock.waits()).to.deep.equal([60_000])
    clock.pass()
    expect(await slow)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/longer than a minute/)
    expect(await worker.count('o200k_base', ['hello world'], open)).to.deep.equal([2])
  })

  it('refuses more text than it can queue', async () => {
    const first = worker.count('o200k_base', [' '.repeat(20 * 1024 * 1024)], open).catch((error: unknown) => error)
    const second = await worker.count('o200k_base', [' '.repeat(20 * 1024 * 1024)], open).catch((error: unknown) => error)
    expect(second)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/Too many/)
    await worker.close()
    expect(await first).to.be.an('error')
  })

  it('fails running and later counts once closed, and can be closed twice', async () => {
    const counting = worker.count('o200k_base', ['lorem ipsum '.repeat(1_000_000)], open).catch((error: unknown) => error)
    await worker.close()
    await worker.close()
    for (const error of [await counting, await worker.count('o200k_base', ['x'], open).catch((thrown: unknown) => thrown)])
      expect(error)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/cannot be counted/)
    expect(worker.running).to.equal(false)
  })

  it('does not keep a process alive', async function () {
    this.timeout(30_000)
    const program = fileURLToPath(new URL('../test-support/count-and-end.js', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 })
    expect(stdout).to.equal('2')
  })
})
