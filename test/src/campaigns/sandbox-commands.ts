import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SandboxDriver, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'

const atOnce = 16
const principals = 8
const commandLimitMs = 60_000

/** What is left of commands, and what they took. */
export interface SandboxCommandsOutcome {
  readonly modes: Readonly<
    Record<string, { readonly commands: number; readonly ms: number; readonly before: Resources; readonly after: Resources }>
  >
}

/** What a command could leave behind. */
export interface Resources {
  readonly processes: number
  readonly descriptors: number
  readonly groups: number
  readonly files: number
  readonly networks: number
  readonly heapBytes: number
}

interface Driver {
  readonly driver: SandboxDriver
  close(): Promise<void>
}

/**
 * Runs commands of eight principals, sixteen at a time, in each mode: with pipes and terminals,
 * forwarded ports and the network, daemons, aborts, refusals and failures.
 * @throws if a command comes to something else than it should, or leaves anything behind.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<SandboxCommandsOutcome> {
  print(`SEED=${seed}`)
  const commands = full ? 1_000 : 96
  const modes: Record<string, SandboxCommandsOutcome['modes'][string]> = {}
  for (const mode of ['bubblewrap', 'Landlock']) {
    const outcome = await runMode(mode, commands, seed)
    const { before, after, ms } = outcome
    print(`${mode}: ${commands} commands in ${(ms / 1_000).toFixed(1)} s, ${(ms / commands).toFixed(1)} ms each`)
    print(`  before ${JSON.stringify(before)}`)
    print(`  after  ${JSON.stringify(after)}`)
    const grown = (['processes', 'descriptors', 'groups', 'files', 'networks'] as const).filter((name) => after[name] > before[name])
    if (grown.length > 0) throw new Error(`${mode} left something behind: ${grown.join(', ')}`)
    const heap = after.heapBytes - before.heapBytes
    if (heap > 16_000_000) throw new Error(`${mode} left ${heap} bytes in memory`)
    modes[mode] = outcome
  }
  return { modes }
}

async function openDriver(mode: string, folder: string): Promise<Driver> {
  const compiled = (name: string): string => new URL(`../../../plugins/sandbox-linux/dist/${name}`, import.meta.url).href
  const { createLinuxDriver } = (await import(compiled('linux-driver.js'))) as {
    createLinuxDriver(options: object): Driver
  }
  const { compiledHelper } = (await import(compiled('helper/compile-helper.js'))) as { compiledHelper(): Promise<object> }
  return createLinuxDriver({
    places: [path.join(folder, 'runs')],
    helper: () => compiledHelper(),
    userOf: async (principal: string) => {
      const uid = 720_000_000 + Number(principal.slice(1))
      return process.getuid?.() === 0 ? { uid, gid: uid } : undefined
    },
    ...(mode === 'Landlock' ? { examined: (machine: object) => ({ ...machine, bubblewrap: { missing: 'not for this campaign' } }) } : {}),
  })
}

async function runMode(mode: string, commands: number, seed: number) {
  const random = createRandom(seed)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'sandbox-commands-')))
  const server = createServer((socket) => socket.on('error', () => undefined).end('hello')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const port = (server.address() as { readonly port: number }).port
  const opened = await openDriver(mode, folder)
  let number = 0
  const work = async (until: number): Promise<void> => {
    while (number < until) {
      number += 1
      await runCommand(opened.driver, { number, folder, port, kind: random.pick(kinds), mode })
    }
  }
  const runAll = async (until: number): Promise<void> => void (await Promise.all(Array.from({ length: atOnce }, () => work(until))))
  try {
    for (let index = 0; index < principals; index += 1) await mkdir(path.join(folder, `p${index}`))
    await runAll(atOnce * 3)
    const before = await settled(folder, undefined)
    const started = performance.now()
    await runAll(number + commands)
    const ms = performance.now() - started
    const after = await settled(folder, before)
    const left = await opened.driver.measure({ signal: AbortSignal.timeout(commandLimitMs) })
    if (left.length > 0) throw new Error(`${left.length} processes are still measured`)
    return { commands, ms, before, after }
  } finally {
    await opened.close()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a command does, and what it must come to. */
const kinds = [
  'output',
  'failure',
  'daemon',
  'terminal',
  'forward',
  'network',
  'abort',
  'leave',
  'refused',
  'input',
  'token',
  'timeout',
] as const

interface Command {
  readonly number: number
  readonly folder: string
  readonly port: number
  readonly kind: (typeof kinds)[number]
  readonly mode: string
}

const scripts: Readonly<Record<Command['kind'], string>> = {
  output: 'echo hello',
  failure: 'exit 7',
  daemon: '(setsid sleep 60 >/dev/null 2>&1 &) ; echo hello',
  terminal: 'test -t 0 && echo hello',
  forward: `python3 -I -c "import socket; print(socket.create_connection(('127.0.0.1', 61000)).recv(9).decode())"`,
  network: 'test -n "$HTTP_PROXY" && echo hello',
  ...{ abort: 'echo hello; sleep 60', leave: 'echo hello; sleep 60', timeout: "trap '' TERM; echo hello; while :; do sleep 1; done" },
  refused: 'echo hello',
  input: 'read line; echo $line',
  token: 'cat $TOKEN_FILE',
}

async function runCommand(driver: SandboxDriver, command: Command): Promise<void> {
  const { kind, number } = command
  const stop = new AbortController()
  const { signal } = stop
  // Not AbortSignal.timeout, which would keep what it refers to until then.
  const limit = setTimeout(() => stop.abort(), commandLimitMs)
  const asked = requestOf(command)
  let text = ''
  let reason = ''
  let code: number | null = null
  const input = kind === 'input' ? inputOf('hello\n') : undefined
  try {
    for await (const event of driver.run(asked, { signal, ...(input && { input }) })) {
      if (event.type === 'output') {
        text += Buffer.from(event.bytes).toString()
        if (kind === 'leave') break
        if (kind === 'abort') stop.abort()
        if (kind === 'timeout') await driver.send(asked.id, { kind: 'end', reason: 'timeout', graceMs: 20 }, { signal })
      }
      if (event.type !== 'exit') continue
      ;[reason, code] = [event.reason, event.code]
      if (event.left > 0) throw new Error(`command ${number} (${kind}) left ${event.left} processes`)
    }
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'sandbox_refused' || kind !== 'refused') throw error
    reason = 'refused'
  } finally {
    clearTimeout(limit)
  }
  const expected: Partial<Record<Command['kind'], string>> = {
    failure: 'exit 7',
    refused: 'refused null',
    abort: 'killed null',
    leave: ' null',
    timeout: 'timeout null',
  }
  const found = `${reason} ${code}`
  if (found !== (expected[kind] ?? 'exit 0')) throw new Error(`command ${number} (${kind}, ${command.mode}) came to ${found}: ${text}`)
  if (!['failure', 'refused'].includes(kind) && !text.includes('hello')) throw new Error(`command ${number} (${kind}) wrote “${text}”`)
}

function requestOf({ number, folder, port, kind }: Command): SandboxRequest {
  const principal = `p${number % principals}`
  const workspace = path.join(folder, principal)
  return {
    ...{ id: `command-${process.pid}-${number}`, principal, command: ['/bin/sh', '-c', scripts[kind]], directory: workspace },
    environment: { PATH: '/usr/bin:/bin', HOME: workspace },
    files: { read: [], write: [kind === 'refused' ? path.join(folder, 'absent') : workspace], deny: [] },
    network: {
      access: kind === 'network' ? 'on' : 'off',
      ...{ destinations: [], expose: [] },
      forward: kind === 'forward' ? [{ port: 61_000, to: { host: '127.0.0.1', port } }] : [],
    },
    limits: { memoryBytes: 500_000_000, maxProcesses: 200 },
    confined: true,
    ...(kind === 'terminal' ? { terminal: { columns: 80, rows: 24 } } : {}),
    ...(kind === 'token' ? { token: { variable: 'TOKEN_FILE', text: 'hello' } } : {}),
  }
}

async function* inputOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** The resources once they no longer shrink to what they were: what ends takes a moment to be gone. */
async function settled(folder: string, before: Resources | undefined): Promise<Resources> {
  const until = Date.now() + 5_000
  for (;;) {
    await delay(200)
    const now = await resourcesNow(folder)
    const isBack =
      before === undefined ||
      (Object.keys(before) as (keyof Resources)[]).every((name) => name === 'heapBytes' || now[name] <= before[name])
    if ((isBack && before !== undefined) || Date.now() > until || (before === undefined && now.processes === 0)) return now
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function resourcesNow(folder: string): Promise<Resources> {
  collectGarbage()
  return {
    ...(await processesNow()),
    descriptors: (await readdir('/proc/self/fd')).length,
    groups: await groupsNow(),
    files: (await readdir(path.join(folder, 'runs'), { recursive: true })).length,
    heapBytes: process.memoryUsage().heapUsed,
  }
}

/** Processes below this one, and the networks that they are in beside its own. */
async function processesNow(): Promise<Pick<Resources, 'processes' | 'networks'>> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state !== undefined && state !== 'Z') parents.set(Number(name), Number(parent))
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === process.pid || (parent > 1 && isBelow(parent))
  }
  const below = [...parents.keys()].filter(isBelow)
  const own = await readlink('/proc/self/ns/net')
  const networks = new Set(await Promise.all(below.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => own))))
  networks.delete(own)
  return { processes: below.length, networks: networks.size }
}

/** Control groups of commands, of this service alone. */
async function groupsNow(): Promise<number> {
  const all = await readdir('/sys/fs/cgroup', { recursive: true }).catch(() => [])
  return all.filter(
    (name) => name.includes(`command-${process.pid}-`) && !name.includes('/cgroup.') && path.basename(name).startsWith('command-'),
  ).length
}
