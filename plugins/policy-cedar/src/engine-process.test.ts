import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRunning, policyProcessesOf, untilEnded } from '@agent-service/kernel/testing'
import type { PolicyFile } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { createEngineProcess, type EngineProcess } from './engine-process.js'
import { rejection } from './rejection.test.js'
import { shippedFiles } from './shipped-files.test.js'

const sound = 'permit (principal, action, resource);'
/** Deeper than the engine's stack. */
const tooDeep = `permit (principal, action, resource) when { ${'('.repeat(4_000)}true${')'.repeat(4_000)} };`

/** A program that is ready at once, and does something with each job. */
const program = (work: string): string =>
  `process.on('message', () => { ${work} })
process.on('disconnect', () => process.exit())
process.send('ready')`

/** A program that answers to each job with what it evaluates an expression to. */
const answering = (expression: string): string =>
  program(`process.send({ outcome: 'refused', problems: [{ line: 1, column: 1, message: String(${expression}) }] })`)

describe('the policy engine in its process', () => {
  let files: readonly PolicyFile[]
  let folder: string
  let engine: EngineProcess

  before(async () => {
    files = await shippedFiles()
    folder = await mkdtemp(path.join(tmpdir(), 'policy-engine-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))
  afterEach(() => engine.close())

  const written = async (name: string, text: string): Promise<URL> => {
    const file = path.join(folder, `${name}.mjs`)
    await writeFile(file, text)
    return pathToFileURL(file)
  }
  const check = (text: string, signal = new AbortController().signal) => engine.run('check', { files, text }, { signal })
  /** What a program of {@link answering} says. */
  const said = async (): Promise<string> => {
    const answer = await check(sound)
    return answer.outcome === 'refused' ? (answer.problems[0]?.message ?? '') : ''
  }

  it('fails the job that crashed it, and does the others with a new engine', async () => {
    engine = createEngineProcess()
    const [before, broken, after] = await Promise.all([check(sound), rejection(check(tooDeep)), check(sound)])
    expect([before.outcome, broken.code, after.outcome]).to.deep.equal(['sound', 'policy_engine_failed', 'sound'])
    expect((await check(sound)).outcome).to.equal('sound')
  })

  it('fails every job while it cannot be loaded, says why, and does not try once for each', async () => {
    engine = createEngineProcess({ program: await written('absent', 'import "./what-is-not-there.mjs"') })
    const errors = await Promise.all([rejection(check(sound)), rejection(check(sound)), rejection(check(sound))])
    expect(new Set(errors).size).to.equal(1)
    expect(errors[0])
      .to.have.nested.property('details.reason')
      .that.matches(/status 1: .*what-is-not-there/s)
  })

  it('gives up a job that takes too long', async () => {
    const hanging = program('for (;;);')
    engine = createEngineProcess({ program: await written('hanging', hanging), jobLimitMs: 1_000 })
    expect((await rejection(check(sound))).code).to.equal('policy_engine_failed')
  })

  it('returns the given answer if a job crashes it', async () => {
    engine = createEngineProcess()
    const { signal } = new AbortController()
    const answerIfBroken = { outcome: 'refused', problems: [] } as const
    expect(await engine.run('check', { files, text: tooDeep }, { signal, answerIfBroken })).to.equal(answerIfBroken)
    expect((await engine.run('check', { files, text: sound }, { signal, answerIfBroken })).outcome).to.equal('sound')
  })

  it('does not begin an aborted job, and does the next one', async () => {
    engine = createEngineProcess()
    await check(sound)
    const controller = new AbortController()
    const reason = new Error('Enough.')
    const waiting = check(sound, controller.signal).catch((error: unknown) => error)
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
    expect((await check(sound)).outcome).to.equal('sound')
    expect(await policyProcessesOf(process.pid)).to.have.length(1)
  })

  it('fails a job when its process ends by itself', async () => {
    const leaving = program('process.exit(0)')
    engine = createEngineProcess({ program: await written('leaving', leaving) })
    expect(await rejection(check(sound))).to.have.nested.property('details.reason', 'its process ended with status 0')
  })

  it('runs without options if Node does not know one of them', async () => {
    const given = { program: await written('options', answering('process.execArgv.length')) }
    engine = createEngineProcess({ ...given, nodeOptions: ['--max-semi-space-size=1'] })
    expect(await said()).to.equal('1')
    await engine.close()
    engine = createEngineProcess({ ...given, nodeOptions: ['--max-semi-space-size=1', '--no-such-option'] })
    expect(await Promise.all([said(), said()])).to.deep.equal(['0', '0'])
  })

  it('gives its process nothing of the environment but the channel', async () => {
    engine = createEngineProcess({ program: await written('environment', answering('Object.keys(process.env).sort()')) })
    expect((await said()).split(',').filter((name) => !name.startsWith('NODE_CHANNEL_'))).to.deep.equal([''])
  })

  it('is not ended by the signals that a terminal or a service manager sends to all processes', async () => {
    engine = createEngineProcess()
    await check(sound)
    const before = await policyProcessesOf(process.pid)
    expect(before).to.have.length(1)
    for (const pid of before) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    expect((await check(sound)).outcome).to.equal('sound')
    expect(await policyProcessesOf(process.pid)).to.deep.equal(before)
  })

  it('ends its process when there is nothing to do, and starts another when there is', async () => {
    engine = createEngineProcess({ program: await written('idle', answering('process.pid')), idleMs: 1 })
    const first = Number(await said())
    await untilEnded(first)
    expect(Number(await said())).to.not.equal(first)
  })

  it('is ready for the first job if it was started before, and ends without one', async () => {
    engine = createEngineProcess()
    engine.start()
    engine.start()
    const [started = 0, ...others] = await policyProcessesOf(process.pid)
    expect([started > 0, others]).to.deep.equal([true, []])
    expect((await check(sound)).outcome).to.equal('sound')
    expect(await policyProcessesOf(process.pid)).to.deep.equal([started])
    await engine.close()
    engine.start()
    expect(await policyProcessesOf(process.pid)).to.deep.equal([])

    engine = createEngineProcess({ idleMs: 1 })
    engine.start()
    const [unused = 0] = await policyProcessesOf(process.pid)
    await untilEnded(unused)
  })

  it('does nothing more once it is closed, and leaves no process behind', async () => {
    engine = createEngineProcess({ program: await written('closed', answering('process.pid')) })
    const pid = Number(await said())
    const waiting = rejection(check(sound))
    await engine.close()
    expect(await isRunning(pid)).to.equal(false)
    expect((await waiting).code).to.equal('policy_engine_failed')
    expect((await rejection(check(sound))).code).to.equal('policy_engine_failed')
  })
})
