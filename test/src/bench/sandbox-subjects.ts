import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createLinuxDriver, findHelper } from '@agent-service/sandbox-linux/driver'
import type { SandboxDriver, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { installPeer, peerFile, peerNode } from './peers.js'

/** A program and its arguments. */
export type Command = readonly [program: string, ...given: string[]]

/** One way to run a command. */
export interface SandboxSubject {
  readonly name: string
  /** From the decision to run it to its end, in milliseconds. @throws if it did not end with 0. */
  run(command: Command): Promise<number>
  close(): Promise<void>
}

/** A bare child of this process, with pipes. */
export const bareSubject = (workspace: string): SandboxSubject => ({
  name: 'bare spawn',
  async run([program, ...given]) {
    const began = performance.now()
    const child = spawn(program, given, { cwd: workspace, env: { PATH: '/usr/bin:/bin' }, stdio: 'pipe' })
    child.stdin.end()
    child.stdout.resume()
    child.stderr.resume()
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`${program} ended with ${String(code)}.`)
    return performance.now() - began
  },
  close: () => Promise.resolve(),
})

const isRoot = process.getuid?.() === 0
/** Of no account and of no principal. */
const benchUser = { uid: 2_146_999_999, gid: 2_146_999_999 }

/** A mode of the Linux driver, and what is different in it. */
export interface DriverMode {
  readonly mode: 'bubblewrap' | 'Landlock'
  /** Whether another process of the principal runs meanwhile: they share a network. */
  readonly kept: boolean
  /** False leaves the machine's control groups out. */
  readonly groups: boolean
}

/**
 * The Linux driver in one of its modes, with everything closed: files, processes, the network, and
 * limits where the machine has control groups. Why not, if this machine has not the mode.
 */
export async function driverSubject({ mode, kept, groups }: DriverMode, workspace: string): Promise<SandboxSubject | string> {
  const { driver, close } = createLinuxDriver({
    helper: () => findHelper(),
    userOf: async () => (isRoot ? benchUser : undefined),
    examined: (machine) => ({
      ...machine,
      ...(mode === 'Landlock' ? { bubblewrap: { missing: 'left out by the bench' } } : {}),
      ...(groups ? {} : { groups: undefined }),
    }),
  })
  const stop = new AbortController()
  const health = await driver.health({ signal: stop.signal })
  if (health.mode !== mode) {
    await close()
    return health.fences.files.reason
  }
  const run = runner(driver, workspace, mode.toLowerCase())
  const keeping = kept ? await keepOne(driver, run.request(['/bin/cat']), stop.signal) : undefined
  return {
    name: `${mode}${kept ? '' : ', nothing else running'}${groups ? '' : ', no control groups'}`,
    run: run.command,
    async close() {
      stop.abort()
      await keeping?.ended
      await close()
    },
  }
}

function runner(driver: SandboxDriver, workspace: string, principal: string) {
  let count = 0
  const request = (command: Command): SandboxRequest => {
    count += 1
    return {
      ...{ id: `bench-${count}`, principal, command, directory: workspace, environment: { PATH: '/usr/bin:/bin' } },
      files: { read: [], write: [workspace], deny: [] },
      network: { access: 'off', destinations: [], forward: [], expose: [] },
      ...{ limits: { memoryBytes: 1_000_000_000, maxProcesses: 500, maxOpenFiles: 1_024 }, confined: true },
    }
  }
  const { signal } = new AbortController()
  return {
    request,
    async command(command: Command): Promise<number> {
      const began = performance.now()
      for await (const event of driver.run(request(command), { signal }))
        if (event.type === 'exit' && event.code !== 0) throw new Error(`${command[0]} ended: ${JSON.stringify(event)}`)
      return performance.now() - began
    },
  }
}

/** Starts a process that runs until the signal is aborted. Its end resolves when it has ended. */
async function keepOne(driver: SandboxDriver, request: SandboxRequest, signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
  const input: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
  const events = driver.run(request, { signal, input })[Symbol.asyncIterator]()
  await events.next()
  const readToEnd = async (): Promise<void> => {
    while ((await events.next()).done !== true);
  }
  return { ended: readToEnd() }
}

/** The peer and a bare spawn beside it, both in one process of the Node that the peer needs. */
export async function peerSubjects(
  workspace: string,
  print: (line: string) => void,
): Promise<{ readonly peer: SandboxSubject; readonly bare: SandboxSubject } | undefined> {
  for (const name of ['node-22', 'sandbox-runtime']) if (!(await installPeer(name, print))) return undefined
  const child = fork(peerFile('sandbox-runtime', 'subject.mjs'), [workspace], {
    execPath: peerNode(),
    execArgv: [],
    stdio: ['ignore', 2, 'pipe', 'ipc'],
  })
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
  if (typeof first !== 'object') {
    const reason =
      String(child.stderr?.read() ?? '')
        .trim()
        .split('\n')
        .find((line) => line.includes('rror')) ?? 'it ended'
    print(`  the peer sandbox-runtime does not run here, so it is left out: ${reason}`)
    return undefined
  }
  child.stderr?.resume()
  const ask = async (bare: boolean, argv: Command): Promise<number> => {
    const answered = once(child, 'message')
    child.send({ bare, argv })
    const [{ ms, code, text }] = (await answered) as [{ readonly ms: number; readonly code: number; readonly text: string }]
    if (code !== 0) throw new Error(`${argv[0]} ended with ${code}: ${text}`)
    return ms
  }
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || !child.connected) return
    const ended = once(child, 'exit')
    child.send('end')
    await ended
  }
  return {
    peer: { name: 'sandbox-runtime', run: (command) => ask(false, command), close },
    bare: { name: 'bare spawn beside the peer', run: (command) => ask(true, command), close: () => Promise.resolve() },
  }
}
