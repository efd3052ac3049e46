import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkSandboxRequest } from '../../contracts/sandbox-driver/check-sandbox-driver.js'
import { sandboxRefusedError } from '../../contracts/sandbox-driver/errors.js'
import type { ExitReason, PortForward, SandboxEvent, SandboxExit, SandboxRequest } from '../../contracts/sandbox-driver/sandbox-driver.js'
import { signalGroup } from './process-groups.js'

/** A running process without a fence. */
export interface PlainProcess {
  readonly request: SandboxRequest
  /** Its process group. */
  readonly group: number
  events(): AsyncIterable<SandboxEvent>
  signal(signal: string): void
  replaceToken(text: string): Promise<void>
  /** Ends the group, the first reason counts. Resolves when it has ended. */
  end(reason: ExitReason, graceMs: number): Promise<void>
}

const maxChunkBytes = 65_536

/** @throws `sandbox_refused` for what this driver cannot keep. */
export function refuseUnkept(request: SandboxRequest, isRunning: (id: string) => boolean): void {
  const refuse = (reason: string): never => {
    throw sandboxRefusedError.create({ reason })
  }
  const [problem] = checkSandboxRequest(request)
  if (problem !== undefined) refuse(`${problem.path} ${problem.message}`)
  if (isRunning(request.id)) refuse(`a process with the id “${request.id}” is running`)
  if (request.terminal !== undefined) refuse('this driver has no terminals')
  if (!request.confined && request.network.access !== 'on') refuse('this driver cannot close the network')
}

/** Starts the process in a process group of its own. @throws `sandbox_refused` if it cannot start. */
export async function startPlainProcess(
  request: SandboxRequest,
  { signal, input }: { readonly signal: AbortSignal; readonly input?: AsyncIterable<Uint8Array> },
): Promise<PlainProcess> {
  signal.throwIfAborted()
  const folder = await mkdtemp(path.join(tmpdir(), 'plain-sandbox-'))
  const tokenFile = path.join(folder, 'token')
  const replaceToken = async (text: string): Promise<void> => {
    await writeFile(`${tokenFile}.new`, text, { mode: 0o600 })
    await rename(`${tokenFile}.new`, tokenFile)
  }
  const forwards: (() => void)[] = []
  const release = async (): Promise<void> => {
    for (const leave of forwards.splice(0)) leave()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (request.token !== undefined) await replaceToken(request.token.text)
    const paths: Record<string, string> = {}
    for (const [index, [variable, text]] of Object.entries(request.privateFiles ?? {}).entries()) {
      const file = path.join(folder, `secret-${index}`)
      await writeFile(file, text, { mode: 0o400 })
      paths[variable] = file
    }
    for (const forward of request.network.forward) forwards.push(await shareForward(forward))
    const child = await spawnChild(request, tokenFile, paths)
    const group = child.pid ?? 0
    let reason: ExitReason | undefined
    const exited = once(child, 'exit').then(async ([code, killedBy]) => {
      // What the process left behind in its group ends with it.
      signalGroup(group, 'SIGKILL')
      signal.removeEventListener('abort', abort)
      await release()
      return exitOf(reason, code as number | null, killedBy as string | null)
    })
    const end = async (why: ExitReason, graceMs: number): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      reason ??= why
      if (graceMs > 0) {
        signalGroup(group, 'SIGTERM')
        const timer = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs)
        await exited.finally(() => clearTimeout(timer))
      } else {
        signalGroup(group, 'SIGKILL')
        await exited
      }
    }
    const abort = (): void => void end('killed', 0)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    feed(child, input)
    return {
      request,
      group,
      end,
      replaceToken,
      signal: (name) => signalGroup(group, name in constants.signals ? (name as NodeJS.Signals) : 'SIGTERM'),
      events: () => eventsOf(child, request, exited),
    }
  } catch (error) {
    await release()
    throw error
  }
}

async function spawnChild(
  { command, directory, environment, token }: SandboxRequest,
  tokenFile: string,
  paths: Readonly<Record<string, string>>,
) {
  const [program, ...given] = command
  const env = { ...environment, ...paths, ...(token === undefined ? {} : { [token.variable]: tokenFile }) }
  const child = spawn(program, given, { cwd: directory, env, detached: true, stdio: 'pipe' })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw sandboxRefusedError.create({ reason: `“${program}” cannot be started: ${(error as Error).message}` })
  }
  return child
}

/** Gives the process its input. A process that does not read it to the end may end all the same. */
function feed(child: ChildProcessWithoutNullStreams, input: AsyncIterable<Uint8Array> | undefined): void {
  child.stdin.on('error', () => undefined)
  if (input === undefined) child.stdin.end()
  else pipeline(input, child.stdin).catch(() => undefined)
}

async function* eventsOf(
  child: ChildProcessWithoutNullStreams,
  { network }: SandboxRequest,
  exited: Promise<SandboxExit>,
): AsyncGenerator<SandboxEvent> {
  yield { type: 'started', exposed: network.expose.map((port) => ({ port, host: '127.0.0.1', hostPort: port })) }
  const sources = (['stdout', 'stderr'] as const).map((stream) => ({ stream, chunks: child[stream][Symbol.asyncIterator]() }))
  const next = async (source: (typeof sources)[number]) => ({ source, result: (await source.chunks.next()) as IteratorResult<Buffer> })
  const pending = new Map(sources.map((source) => [source, next(source)]))
  while (pending.size > 0) {
    const { source, result } = await Promise.race(pending.values())
    if (result.done === true) {
      pending.delete(source)
      continue
    }
    for (let from = 0; from < result.value.length; from += maxChunkBytes)
      yield { type: 'output', stream: source.stream, bytes: new Uint8Array(result.value.subarray(from, from + maxChunkBytes)) }
    pending.set(source, next(source))
  }
  yield await exited
}

const exitOf = (reason: ExitReason | undefined, code: number | null, signal: string | null): SandboxExit => ({
  type: 'exit',
  reason: reason ?? (code === null ? 'signal' : 'exit'),
  ...{ code, signal, cpuMs: null, peakMemoryBytes: null, left: 0 },
})

/** What listens, by its port: the processes share the loopback of the host. */
const shared = new Map<number, { readonly to: PortForward['to']; readonly opened: Promise<Server>; users: number }>()

/** Listens for all processes that forward the port to the same destination. The result leaves it. */
async function shareForward(forward: PortForward): Promise<() => void> {
  const { port, to } = forward
  const found = shared.get(port) ?? { to, opened: listenFor(forward), users: 0 }
  if (found.to.host !== to.host || found.to.port !== to.port)
    throw sandboxRefusedError.create({ reason: `port ${port} is forwarded elsewhere, for another process` })
  shared.set(port, found)
  found.users += 1
  const leave = (): void => {
    found.users -= 1
    if (found.users > 0) return
    if (shared.get(port) === found) shared.delete(port)
    found.opened.then((server) => server.close()).catch(() => undefined)
  }
  try {
    await found.opened
    return leave
  } catch (error) {
    leave()
    throw error
  }
}

/** Listens inside, which is outside here, and leads to the destination. */
async function listenFor({ port, to }: PortForward): Promise<Server> {
  const server = createServer((socket) => {
    const onward = connect(to.port, to.host)
    pipeline(socket, onward, socket).catch(() => onward.destroy())
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw sandboxRefusedError.create({ reason: `port ${port} cannot be forwarded: ${(error as Error).message}` })
  }
  return server
}
