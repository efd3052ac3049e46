import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { close, closeSync, openSync } from 'node:fs'
import * as processModule from 'node:process'
import { expect } from 'chai'
import { guardProcess } from './guard-process.js'

describe('what belongs to the service in its process', () => {
  const ends: readonly (readonly [call: string, end: () => unknown])[] = [
    ['process.exit()', () => process.exit(0)],
    ['process.exit()', () => processModule.exit(0)],
    ['process.reallyExit()', () => (process as unknown as { reallyExit(code: number): never }).reallyExit(0)],
    ['process.abort()', () => process.abort()],
    [`process.kill(${process.pid})`, () => process.kill(process.pid)],
    [`process.kill(${process.pid})`, () => process.kill(process.pid, 'SIGKILL')],
    [`process.kill(${process.pid})`, () => processModule.kill(process.pid, 'SIGKILL')],
    ['process.chdir()', () => process.chdir('/')],
    ['process.umask()', () => process.umask(0o777)],
    ['process.kill(0)', () => process.kill(0, 'SIGTERM')],
    ['process.kill(-1)', () => process.kill(-1, 'SIGTERM')],
    ['process.stdout.end()', () => process.stdout.end()],
    ['process.stdout.destroy()', () => process.stdout.destroy()],
    ['process.stderr.end()', () => process.stderr.end()],
    ['fs.closeSync(1)', () => closeSync(1)],
    ['fs.close(2)', () => close(2)],
    [`process.kill(-${process.pid})`, () => process.kill(-process.pid, 'SIGTERM')],
  ]
  let plugin: string | undefined
  let allow: () => void
  beforeEach(() => {
    plugin = 'feature-x'
    allow = guardProcess(() => plugin)
  })
  afterEach(() => allow())

  it('throws where a plugin calls it', () => {
    for (const [call, end] of ends) expect(end, call).to.throw(`Plugin “feature-x” called ${call}, but the process belongs to the service`)
  })

  it('lets a plugin signal its children and ask whether the process is there', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    await once(child, 'spawn')
    const ended = once(child, 'exit')
    expect(process.umask()).to.be.a('number')
    expect(process.kill(process.pid, 0)).to.equal(true)
    expect(process.kill(-(child.pid ?? Number.NaN), 'SIGKILL')).to.equal(true)
    expect(await ended).to.deep.equal([null, 'SIGKILL'])
  })

  it('lets a plugin close its files', async () => {
    closeSync(openSync(process.execPath, 'r'))
    await new Promise<void>((resolve, reject) => close(openSync(process.execPath, 'r'), (error) => (error ? reject(error) : resolve())))
  })

  it('works as ever elsewhere, and for all afterwards', async () => {
    plugin = undefined
    for (const end of [() => process.kill(process.pid, 'SIGWINCH'), () => processModule.kill(process.pid, 'SIGWINCH')]) {
      const arrived = once(process, 'SIGWINCH')
      end()
      await arrived
    }
    allow()
    plugin = 'feature-x'
    const arrived = once(process, 'SIGWINCH')
    processModule.kill(process.pid, 'SIGWINCH')
    await arrived
  })
})
