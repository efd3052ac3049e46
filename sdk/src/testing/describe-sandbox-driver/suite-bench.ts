import { strict as assert } from 'node:assert'
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type {
  SandboxCommand,
  SandboxDriver,
  SandboxEvent,
  SandboxExit,
  SandboxHealth,
  SandboxRequest,
} from '../../contracts/sandbox-driver/sandbox-driver.js'

/** What a process came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: SandboxExit
}

/** A process that runs, with what has come of it so far. */
export interface RunningProcess {
  readonly id: string
  /** Resolves when the output so far includes the text. Fails when the process ends first. */
  shows(text: string): Promise<void>
  send(command: SandboxCommand): Promise<void>
  abort(): void
  readonly ended: Promise<Ran>
}

/** Changes of the request that the suite makes by itself. */
export type RequestChange = Partial<Omit<SandboxRequest, 'command'>>

/** A driver in a folder of its own. */
export interface SuiteBench {
  readonly driver: SandboxDriver
  readonly health: SandboxHealth
  /** The working directory of the processes; they may write there. */
  readonly workspace: string
  /** Beside it; they may not open it. */
  readonly outside: string
  readonly signal: AbortSignal
  request(command: SandboxRequest['command'], change?: RequestChange): SandboxRequest
  /** Runs a script of the shell and collects what it comes to. */
  run(script: string, change?: RequestChange & { readonly input?: AsyncIterable<Uint8Array> }): Promise<Ran>
  /** Runs a module of Node.js. */
  startNode(code: string, change?: RequestChange): RunningProcess
  runNode(code: string, change?: RequestChange): Promise<Ran>
  start(script: string, change?: RequestChange & { readonly input?: AsyncIterable<Uint8Array> }): RunningProcess
  close(): Promise<void>
}

/** Runs a test with a driver in a folder of its own. */
export type WithBench = (test: (bench: SuiteBench) => Promise<void>) => () => Promise<void>

let count = 0

/** Opens a bench. Everything that the suite leaves running ends at its close. */
export async function openBench(create: () => SandboxDriver | Promise<SandboxDriver>): Promise<SuiteBench> {
  const driver = await create()
  const stop = new AbortController()
  const { signal } = stop
  const health = await driver.health({ signal })
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'sandbox-suite-')))
  await chmod(folder, 0o755)
  const [workspace, outside] = [path.join(folder, 'workspace'), path.join(folder, 'outside')]
  for (const each of [workspace, outside]) await mkdir(each)
  const prefix = path.dirname(path.dirname(process.execPath))
  const all: Promise<unknown>[] = []

  const request: SuiteBench['request'] = (command, change = {}) => {
    count += 1
    return {
      ...{ id: `suite-${count}`, principal: 'suite-one', command, directory: workspace, environment: { PATH: '/usr/bin:/bin' } },
      files: { read: [prefix], write: [workspace], deny: [] },
      network: { access: health.fences.network.state === 'open' ? 'on' : 'off', destinations: [], forward: [], expose: [] },
      ...{ limits: {}, confined: health.confines },
      ...change,
    }
  }
  const begin = (asked: SandboxRequest, input?: AsyncIterable<Uint8Array>): RunningProcess => {
    const own = new AbortController()
    const events = driver.run(asked, { signal: AbortSignal.any([own.signal, signal]), ...(input === undefined ? {} : { input }) })
    const output = createOutput()
    const ended = collect(events, output)
    all.push(ended.catch(() => undefined))
    return {
      id: asked.id,
      shows: (text) => output.shows(text, ended),
      send: (command) => driver.send(asked.id, command, { signal }),
      abort: () => own.abort(),
      ended,
    }
  }
  const start: SuiteBench['start'] = (script, { input, ...change } = {}) => begin(request(['/bin/sh', '-c', script], change), input)
  const startNode: SuiteBench['startNode'] = (code, change) => begin(request([process.execPath, '--input-type=module', '-e', code], change))
  return {
    ...{ driver, health, workspace, outside, signal, request, start, startNode },
    run: (script, change) => start(script, change).ended,
    runNode: (code, change) => startNode(code, change).ended,
    async close() {
      stop.abort()
      await Promise.all(all)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Output {
  readonly texts: { stdout: string; stderr: string; terminal: string }
  changed(): void
  shows(text: string, ended: Promise<Ran>): Promise<void>
}

function createOutput(): Output {
  const texts = { stdout: '', stderr: '', terminal: '' }
  const whole = (): string => texts.stdout + texts.stderr + texts.terminal
  let waiting: (() => void)[] = []
  return {
    texts,
    changed() {
      for (const check of waiting) check()
    },
    async shows(text, ended) {
      const seen = new Promise<void>((resolve) => {
        const check = (): void => {
          if (!whole().includes(text)) return
          waiting = waiting.filter((each) => each !== check)
          resolve()
        }
        waiting.push(check)
        check()
      })
      await Promise.race([seen, ended])
      assert.ok(whole().includes(text), `the process ended without “${text}”: ${whole().slice(0, 500)}`)
    },
  }
}

async function collect(events: AsyncIterable<SandboxEvent>, { texts, changed }: Output): Promise<Ran> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder(), terminal: new TextDecoder() }
  let started = 0
  let exit: SandboxExit | undefined
  for await (const event of events) {
    assert.equal(exit, undefined, `“${event.type}” came after the exit`)
    if (event.type === 'started') started += 1
    assert.equal(started, 1, 'the first event must be one “started”')
    if (event.type === 'exit') exit = event
    if (event.type !== 'output') continue
    assert.ok(event.bytes.length > 0 && event.bytes.length <= 65_536, `an output has ${event.bytes.length} bytes`)
    texts[event.stream] += decoders[event.stream].decode(event.bytes, { stream: true })
    changed()
  }
  assert.ok(exit, 'the events ended without an exit')
  return { stdout: texts.stdout + texts.terminal, stderr: texts.stderr, exit }
}
