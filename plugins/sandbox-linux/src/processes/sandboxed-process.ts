import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExitReason, SandboxEvent, SandboxExit, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import type { ProcessGroup } from '../machine/control-groups.js'
import type { Launched } from './launch.js'
import { type ProcessEntry, type ProcessTable, readProcessTable, treeOf } from './process-table.js'

/** How long the machine may take to end a tree. */
const endLimitMs = 5_000

/** How the launcher of a mode is reached. */
export interface Launcher {
  /** How many processes stand above the program: they are the launcher's, and get no signals. */
  readonly above: number
  /** The signal by which the launcher ends everything below. */
  readonly ending: NodeJS.Signals
}

/** A running process with its tree. */
export interface SandboxedProcess {
  readonly request: SandboxRequest
  events(): AsyncIterable<SandboxEvent>
  signal(name: string): Promise<void>
  resize: Launched['resize']
  replaceToken(text: string): Promise<void>
  /** Ends the tree; the first reason counts. Resolves when it has ended. */
  end(reason: ExitReason, graceMs: number): Promise<void>
  /** What the tree uses, from one reading of the machine. */
  usage(table: ProcessTable | undefined): Promise<{ readonly cpuMs: number; readonly memoryBytes: number; readonly processes: number }>
}

export function createSandboxedProcess(given: {
  readonly request: SandboxRequest
  readonly launched: Launched
  readonly launcher: Launcher
  /** Its control group, if the machine has any. */
  readonly group: ProcessGroup | undefined
  readonly exposed: Extract<SandboxEvent, { type: 'started' }>['exposed']
  readonly replaceToken: (text: string) => Promise<void>
  /** Called once the tree has ended. */
  readonly release: () => Promise<void>
}): SandboxedProcess {
  const { request, launched, launcher, group, exposed, replaceToken, release } = given
  let reason: ExitReason | undefined
  let used = { cpuMs: 0, memoryBytes: 0 }

  const program = (table: ProcessTable): readonly ProcessEntry[] =>
    treeOf(table, launched.pid).filter(({ depth }) => depth >= launcher.above)

  const send = async (name: NodeJS.Signals): Promise<void> => {
    for (const { pid } of program(await readProcessTable())) signalOne(pid, name)
  }

  const ended = launched.exited.then(async ({ code, signal }): Promise<SandboxExit> => {
    // A supervisor is waited for by its own end; what a namespace or a group still has is not.
    await group?.kill()
    const measured = await group?.read()
    if (await group?.ranOutOfMemory()) reason ??= 'memory_limit'
    const left = group === undefined ? await untilGone(launched.pid) : await group.remove()
    await release()
    const { cpuMs, peakMemoryBytes } = measured ?? { cpuMs: used.cpuMs || null, peakMemoryBytes: used.memoryBytes || null }
    return { ...exitOf(reason, code, signal), cpuMs, peakMemoryBytes, left }
  })

  return {
    request,
    replaceToken,
    resize: (size) => launched.resize(size),
    async signal(name) {
      await send(name in constants.signals ? (name as NodeJS.Signals) : 'SIGTERM')
    },
    async end(why, graceMs) {
      reason ??= why
      if (graceMs > 0) {
        await send('SIGTERM')
        await Promise.race([ended, delay(graceMs)])
      }
      signalOne(launched.pid, launcher.ending)
      await ended
    },
    async usage(table) {
      if (group !== undefined || table === undefined) return readOf(group)
      const tree = treeOf(table, launched.pid)
      const now = {
        cpuMs: tree.reduce((sum, each) => sum + each.cpuMs, 0),
        memoryBytes: program(table).reduce((sum, each) => sum + each.memoryBytes, 0),
      }
      used = { cpuMs: Math.max(used.cpuMs, now.cpuMs), memoryBytes: Math.max(used.memoryBytes, now.memoryBytes) }
      return { cpuMs: used.cpuMs, memoryBytes: now.memoryBytes, processes: program(table).length }
    },
    async *events() {
      yield { type: 'started', exposed }
      for await (const { stream, bytes } of launched.output) yield { type: 'output', stream, bytes }
      yield await ended
    },
  }
}

async function readOf(group: ProcessGroup | undefined): Promise<{ cpuMs: number; memoryBytes: number; processes: number }> {
  const { cpuMs = 0, memoryBytes = 0, processes = 0 } = (await group?.read()) ?? {}
  return { cpuMs, memoryBytes, processes }
}

/** How many processes of a tree are left once its root has ended. They are those that lost it as their parent. */
async function untilGone(root: number): Promise<number> {
  const until = Date.now() + endLimitMs
  for (;;) {
    const left = treeOf(await readProcessTable(), root).length
    if (left === 0 || Date.now() > until) return left
    await delay(5)
  }
}

function signalOne(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Launchers report a signal as the code 128 and its number, as a shell does. */
function exitOf(
  reason: ExitReason | undefined,
  code: number | null,
  signal: NodeJS.Signals | null,
): Pick<SandboxExit, 'type' | 'reason' | 'code' | 'signal'> {
  const named = signal ?? (code !== null && code > 128 ? nameOf(code - 128) : null)
  const type = 'exit' as const
  if (reason !== undefined) return { type, reason, code: null, signal: named ?? 'SIGKILL' }
  return named === null ? { type, reason: 'exit', code, signal: null } : { type, reason: 'signal', code: null, signal: named }
}

const nameOf = (number: number): NodeJS.Signals | null =>
  (Object.entries(constants.signals).find(([, value]) => value === number)?.[0] as NodeJS.Signals | undefined) ?? null
