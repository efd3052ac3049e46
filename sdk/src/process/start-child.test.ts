import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readText, streamTooLargeError } from '../async/index.js'
import { createDisposableScope } from '../core/disposable-scope.js'
import { describeExit, environmentOf, environmentSecretError, processGoneError, processStartError, runChild, startChild } from './index.js'

const node = (code: string, ...args: readonly string[]) => ({ command: process.execPath, args: ['-e', code, ...args] })
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('Expected an error.'),
    (error: Error) => error,
  )
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

describe('startChild', () => {
  it('gives the child what is written, and what it writes back', async () => {
    const child = await startChild(node('process.stdin.pipe(process.stdout)'))
    await child.write('grün ')
    await child.write(new TextEncoder().encode('€'))
    child.endInput()
    expect(await readText(child.output, { maxBytes: 100 })).to.equal('grün €')
    const exit = await child.exit
    expect([exit.reason, exit.code, exit.signal, exit.errorText]).to.deep.equal(['exited', 0, null, ''])
    expect(await child.stop()).to.equal(exit)
  })

  it('reports status, signal and the end of what was written about it', async () => {
    const failed = await startChild({
      ...node('process.stderr.write("x".repeat(50000) + "the end é"); process.exitCode = 3'),
      maxErrorBytes: 10,
    })
    const exit = await failed.exit
    expect([exit.code, exit.errorText, describeExit(exit)]).to.deep.equal([3, 'the end é', 'it ended with status 3'])
    const killed = await startChild(node('process.kill(process.pid, "SIGKILL")'))
    const end = await killed.exit
    expect([end.reason, end.signal, describeExit(end)]).to.deep.equal(['signalled', 'SIGKILL', 'it was ended by SIGKILL'])
  })

  it('reports a missing program or folder, and one that may not be run', async () => {
    for (const options of [{ command: '/no/such/program' }, { ...node(''), cwd: '/no/such/folder' }, { command: '/etc/passwd' }]) {
      const error = await failureOf(startChild(options))
      expect(processStartError.isInstance(error), error.message).to.equal(true)
    }
    const reason = new Error('left')
    expect(await failureOf(startChild({ ...node(''), signal: AbortSignal.abort(reason) }))).to.equal(reason)
  })

  it('passes on only named variables of the service’s environment', async () => {
    process.env['KIT_PLAIN'] = 'plain'
    process.env['KIT_API_KEY'] = 'secret'
    try {
      const run = async (environment: object) => {
        const { output } = await runChild({
          ...node('process.stdout.write(JSON.stringify(process.env))'),
          environment,
          maxOutputBytes: 10_000,
          maxLifeMs: 10_000,
        })
        return JSON.parse(text(output)) as Record<string, string>
      }
      expect(await run({})).to.not.have.any.keys('KIT_PLAIN', 'KIT_API_KEY', 'HOME')
      expect(await run({ pass: ['KIT_PLAIN'], set: { GIVEN_TOKEN: 'own' } })).to.include({ KIT_PLAIN: 'plain', GIVEN_TOKEN: 'own' })
      expect(() => environmentOf({ pass: ['KIT_API_KEY'] })).to.throw('looks like a secret')
      expect(environmentSecretError.isInstance(await failureOf(run({ pass: ['KIT_API_KEY'] })))).to.equal(true)
    } finally {
      delete process.env['KIT_PLAIN']
      delete process.env['KIT_API_KEY']
    }
  })

  it('pauses a child while its output is not read, and a writer while its input is not read', async () => {
    const child = await startChild({
      ...node(
        'process.stdin.pause(); let n = 0; const more = () => { while (process.stdout.write("x".repeat(65536))) n++; process.stdout.once("drain", more) }; more()',
      ),
      graceMs: 50,
    })
    const controller = new AbortController()
    const writing = failureOf(child.write(new Uint8Array(4 * 1024 * 1024), { signal: controller.signal }))
    const reason = new Error('left')
    setImmediate(() => controller.abort(reason))
    expect(await writing).to.equal(reason)
    const before = process.memoryUsage().arrayBuffers
    for await (const piece of child.output) {
      expect(piece.length).to.be.greaterThan(0)
      break
    }
    expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(8 * 1024 * 1024)
    await child.stop()
    expect(processGoneError.isInstance(await failureOf(child.write('late')))).to.equal(true)
  })

  it('fails what waits to be written when the child ends', async () => {
    const child = await startChild(node('setTimeout(() => process.exit(1), 50)'))
    const error = await failureOf(child.write(new Uint8Array(8 * 1024 * 1024)))
    expect(processGoneError.isInstance(error)).to.equal(true)
    await child.exit
  })

  describe('ends', () => {
    let folder = ''
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'process-kit-'))
    })
    after(() => rm(folder, { recursive: true, force: true }))

    it('a child that heeds its input, with its input alone', async () => {
      const child = await startChild({ ...node('process.stdin.resume(); process.on("SIGTERM", () => process.exit(9))'), graceMs: 10_000 })
      const exit = await child.stop()
      expect([exit.reason, exit.code, exit.signal]).to.deep.equal(['stopped', 0, null])
    })

    it('one that heeds SIGTERM, then one that heeds nothing, and its whole group', async () => {
      const polite = await startChild({
        ...node('setInterval(() => {}, 1000); process.on("SIGTERM", () => process.exit(9)); process.stdout.write("ready")'),
        graceMs: 300,
      })
      await polite.output[Symbol.asyncIterator]().next()
      expect((await polite.stop()).code).to.equal(9)

      const code = `
        const { spawn } = require("node:child_process")
        const inner = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "inherit" })
        process.on("SIGTERM", () => {})
        process.stdout.write(String(inner.pid))
        setInterval(() => {}, 1000)`
      const stubborn = await startChild({ ...node(code), graceMs: 100 })
      const { value } = await stubborn.output[Symbol.asyncIterator]().next()
      const innerPid = Number(text(value as Uint8Array))
      expect(isAlive(innerPid)).to.equal(true)
      const [exit, again] = await Promise.all([stubborn.stop(), stubborn.stop()])
      expect([exit.signal, again]).to.deep.equal(['SIGKILL', exit])
      await untilGone(innerPid)
    })

    it('what a child leaves in its group when it ends by itself, and the reading of its output with it', async () => {
      const code = `
        const { spawn } = require("node:child_process")
        const inner = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })
        process.stdout.write(String(inner.pid), () => process.exit(0))`
      const child = await startChild(node(code))
      const innerPid = Number(await readText(child.output, { maxBytes: 100 }))
      await child.exit
      await untilGone(innerPid)
    })

    it('with its signal, and after its life', async () => {
      const controller = new AbortController()
      const idle = node('setInterval(() => {}, 1000)')
      const child = await startChild({ ...idle, signal: controller.signal, graceMs: 20 })
      controller.abort()
      expect((await child.exit).reason).to.equal('aborted')
      const short = await startChild({ ...idle, maxLifeMs: 50, graceMs: 20 })
      expect((await short.exit).reason).to.equal('overran')
    })

    it('with the scope that holds its stop, and leaves no zombie', async () => {
      const scope = createDisposableScope({ name: 'plugin' })
      const child = await startChild({ ...node('setInterval(() => {}, 1000)'), graceMs: 20 })
      scope.add('child', async () => void (await child.stop()))
      expect(await scope.dispose()).to.deep.equal([])
      expect(isAlive(child.pid)).to.equal(false)
      if (existsSync('/proc/self/stat')) expect(existsSync(`/proc/${child.pid}/stat`)).to.equal(false)
    })
  })
})

async function untilGone(pid: number): Promise<void> {
  for (const end = Date.now() + 5_000; isAlive(pid) && !(await isZombie(pid)); await new Promise(setImmediate))
    if (Date.now() > end) expect.fail(`The process ${pid} is still there.`)
}

/** Where nothing reaps orphans, as in some containers, what was killed stays as a zombie. */
async function isZombie(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return / Z /.test(stat)
}

describe('runChild', () => {
  it('gives input, reads output, and ends what writes too much', async () => {
    const limits = { maxOutputBytes: 100, maxLifeMs: 10_000 }
    const { exit, output } = await runChild({ ...node('process.stdin.pipe(process.stdout)'), ...limits, input: 'abc' })
    expect([exit.code, text(output)]).to.deep.equal([0, 'abc'])
    const flood = runChild({ ...node('setInterval(() => process.stdout.write("x".repeat(1000)))'), ...limits, graceMs: 20 })
    expect(streamTooLargeError.isInstance(await failureOf(flood))).to.equal(true)
    const deaf = await runChild({ ...node('process.exit(0)'), ...limits, input: 'x'.repeat(1_000_000) })
    expect(deaf.exit.code).to.equal(0)
  })

  it('throws the reason of its signal when nothing is left', async () => {
    const controller = new AbortController()
    const reason = new Error('left')
    const code = 'process.stdout.write("a"); setInterval(() => {}, 1000)'
    const onErrorText = (): void => controller.abort(reason)
    const run = runChild({
      ...node(`process.stderr.write("up"); ${code}`),
      maxOutputBytes: 10,
      maxLifeMs: 10_000,
      graceMs: 20,
      signal: controller.signal,
      onErrorText,
    })
    expect(await failureOf(run)).to.equal(reason)
  })
})
