import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SandboxDriver, SandboxEvent, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { compiledHelper } from '../../helper/compile-helper.js'
import { createLinuxDriver, type LinuxDriver } from '../../linux-driver.js'
import type { Machine } from '../../machine/machine.js'
import { prelude } from './prelude.js'

/** The program that confines. */
export const helper = await compiledHelper().then((found) => {
  if ('missing' in found) throw new Error(`The helper cannot be compiled: ${found.missing}`)
  return found.path
})
export const canary = 'the canary sings'
export const isRoot = process.getuid?.() === 0
const python = '/usr/bin/python3'
const attemptLimitMs = 20_000

export type RequestChange = Partial<SandboxRequest>

/** What came of a confined process. */
export interface Came {
  readonly output: string
  readonly errors: string
  readonly exit: Extract<SandboxEvent, { type: 'exit' }>
}

/**
 * How the same attempts are shown to be open without a sandbox. `user`: as the user whose processes
 * the sandbox has. `namespace`: as root of new namespaces of every kind. `root`: as root, if the
 * tests run as root. `leftOut` names those that would do harm, or that this machine has no way for.
 */
export interface Control {
  readonly as: 'user' | 'namespace' | 'root'
  readonly leftOut?: readonly string[]
}

/** A process outside, of the user whose processes the sandbox has. */
export interface Victim {
  readonly pid: number
  /** The signals that have reached it. @throws if it has ended. */
  signals(): Promise<readonly string[]>
}

export interface EscapeBench {
  readonly mode: string
  readonly driver: SandboxDriver
  readonly folder: string
  readonly workspace: string
  /** Beside the workspace, and open to everyone but for the sandbox. */
  readonly outside: string
  readonly secret: string
  readonly user: { readonly uid: number; readonly gid: number }
  request(command: SandboxRequest['command'], change?: RequestChange): SandboxRequest
  collect(request: SandboxRequest, signal?: AbortSignal): Promise<Came>
  /** Runs Python. */
  run(code: string, change?: RequestChange): Promise<Came>
  /** Runs the same Python without a sandbox. */
  runUnconfined(code: string, control: Control): Promise<string>
  /** None of the attempts may be open inside, and all of them must be open outside. */
  closed(code: string, control: Control, change?: RequestChange): Promise<void>
  startVictim(): Promise<Victim>
  defer(undo: () => unknown): void
  /** Makes both folders anew. */
  reset(): Promise<void>
}

const modes: readonly (readonly [name: string, examined: (machine: Machine) => Machine])[] = [
  ['bubblewrap', (machine) => machine],
  ['Landlock', (machine) => ({ ...machine, bubblewrap: { missing: 'not for this test' } })],
]

/** Declares tests for each mode of the driver. */
export function describeEscapes(title: string, declare: (bench: () => EscapeBench) => void): void {
  for (const [mode, examined] of modes)
    describe(`${title}, in a sandbox by ${mode}`, function () {
      this.timeout(60_000)
      let opened: Opened
      before(async () => {
        opened = await openEscapeBench(mode, examined)
      })
      beforeEach(() => opened.bench.reset())
      afterEach(() => opened.undoAll())
      after(() => opened.close())
      declare(() => opened.bench)
    })
}

interface Opened {
  readonly bench: EscapeBench
  undoAll(): Promise<void>
  close(): Promise<void>
}

/** The user of a principal: far from all others, and the same each time. */
export function userOf(principal: string): { readonly uid: number; readonly gid: number } | undefined {
  if (!isRoot) return undefined
  const uid = 710_000_000 + ([...principal].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_000)
  return { uid, gid: uid }
}

let count = 0

export async function openEscapeBench(mode: string, examined: (machine: Machine) => Machine): Promise<Opened> {
  const linux: LinuxDriver = createLinuxDriver({ helper, userOf: async (principal) => userOf(principal), examined })
  const { driver } = linux
  const never = new AbortController().signal
  const health = await driver.health({ signal: never })
  expect(health.mode, JSON.stringify(health)).to.equal(mode)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'sandbox-escapes-')))
  await chmod(folder, 0o755)
  const [workspace, outside] = [path.join(folder, 'workspace'), path.join(folder, 'outside')]
  const secret = path.join(outside, 'secret.txt')
  const undo: (() => unknown)[] = []
  const user = userOf('escaping') ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

  const request: EscapeBench['request'] = (command, change = {}) => {
    count += 1
    return {
      ...{ id: `escape-${process.pid}-${count}`, principal: 'escaping', command, directory: workspace },
      environment: { PATH: '/usr/bin:/bin', HOME: workspace },
      files: { read: [], write: [workspace], deny: [] },
      network: { access: 'off', destinations: [], forward: [], expose: [] },
      limits: {},
      confined: true,
      ...change,
    }
  }
  const collect: EscapeBench['collect'] = async (asked, signal = AbortSignal.timeout(attemptLimitMs)) => {
    let [output, errors] = ['', '']
    let exit: Came['exit'] | undefined
    for await (const event of driver.run(asked, { signal })) {
      if (event.type === 'exit') exit = event
      if (event.type !== 'output') continue
      if (event.stream === 'stderr') errors += Buffer.from(event.bytes).toString('utf8')
      else output += Buffer.from(event.bytes).toString('utf8')
    }
    if (exit === undefined) throw new Error('The process has no exit.')
    return { output, errors, exit }
  }
  const reset = async (): Promise<void> => {
    for (const each of [workspace, outside]) {
      await rm(each, { recursive: true, force: true })
      await mkdir(each)
      await chmod(each, 0o777)
    }
    await writeFile(secret, canary)
    await chmod(secret, 0o666)
  }
  const run: EscapeBench['run'] = (code, change) => collect(request([python, '-I', '-c', prelude + code], change))
  const runUnconfined: EscapeBench['runUnconfined'] = (code, control) => unconfined(prelude + code, control, { user, workspace })
  const bench: EscapeBench = {
    ...{ mode, driver, folder, workspace, outside, secret, user, request, collect, run, runUnconfined, reset },
    async closed(code, control, change) {
      const { output, errors } = await run(`${code}\nprint('DONE')`, change)
      const inside = namesIn(output, 'TRIED')
      expect(output.includes('DONE'), errors).to.equal(true)
      expect(namesIn(output, 'OPEN'), `open inside: ${errors}`).to.deep.equal([])
      expect(inside.length).to.be.above(0)
      if (control.as === 'root' && !isRoot) return
      await reset()
      const without = await runUnconfined(code, control)
      const expected = inside.filter((name) => control.leftOut?.includes(name) !== true)
      expect(namesIn(without, 'OPEN'), `these would never be found open: ${without}`).to.include.members([...expected])
      await reset()
    },
    async startVictim() {
      const victim = await startVictim(user)
      undo.push(() => victim.end())
      return victim
    },
    defer: (each) => void undo.push(each),
  }
  return {
    bench,
    async undoAll() {
      for (const each of undo.splice(0).reverse()) await each()
    },
    async close() {
      await linux.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const namesIn = (output: string, word: 'OPEN' | 'TRIED'): readonly string[] => [
  ...new Set([...output.matchAll(new RegExp(`^${word} (.+)$`, 'gm'))].map(([, name = '']) => name)),
]

const asUser = ({ uid, gid }: EscapeBench['user']): readonly string[] =>
  isRoot ? ['/usr/bin/setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--'] : []

const inNamespaces = [
  ...['/usr/bin/unshare', '--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', '--ipc', '--uts'],
  ...['--net', '--cgroup', '--kill-child', '--'],
]

/** Within a second or so, and never longer than its limit. */
async function unconfined(
  code: string,
  control: Control,
  { user, workspace }: { readonly user: EscapeBench['user']; readonly workspace: string },
): Promise<string> {
  const before = control.as === 'root' ? [] : [...asUser(user), ...(control.as === 'namespace' ? inNamespaces : [])]
  const [program = python, ...given] = [...before, python, '-I', '-c', code]
  const env = { PATH: '/usr/bin:/bin', HOME: workspace, LEFT_OUT: (control.leftOut ?? []).join(',') }
  const child = spawn(program, given, {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: attemptLimitMs,
    killSignal: 'SIGKILL',
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  await once(child, 'close')
  return text
}

const victimCode = `
import os, signal, sys, time
def caught(number, frame): os.write(1, (signal.Signals(number).name + '\\n').encode())
for each in (signal.SIGCONT, signal.SIGUSR1, signal.SIGIO, signal.SIGURG): signal.signal(each, caught)
secret = 'the canary sings'
os.write(1, b'ready\\n')
for line in sys.stdin: os.write(1, b'here\\n')`

async function startVictim(user: EscapeBench['user']): Promise<Victim & { end(): Promise<void> }> {
  const [program = python, ...given] = [...asUser(user), python, '-I', '-c', victimCode]
  const child: ChildProcess = spawn(program, given, {
    cwd: '/',
    env: { SECRET: canary, PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let lines: string[] = []
  let wake = (): void => undefined
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter(Boolean))
    wake()
  })
  child.once('exit', () => wake())
  const until = async (word: string): Promise<void> => {
    while (!lines.includes(word)) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The victim has ended: ${child.signalCode ?? child.exitCode}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  await until('ready')
  return {
    pid: child.pid ?? 0,
    async signals() {
      child.stdin?.write('\n')
      await until('here')
      const seen = lines.filter((line) => line !== 'ready' && line !== 'here')
      lines = []
      return seen
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
