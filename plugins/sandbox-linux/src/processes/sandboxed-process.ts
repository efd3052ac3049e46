import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExitReason, SandboxEvent, SandboxExit, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import type { LaunchedProcess } from '@agent-service/sdk/sandbox-processes'
import type { GroupUsage, ProcessGroup } from '../groups/process-group.js'
import { endMarked, signalOne } from './marked-processes.js'
import { type ProcessEntry, type ProcessTable, readProcessTable, treeOf } from './process-table.js'

/** How long a launcher may take to end its tree, and after that the machine to end it. */
const launcherLimitMs = 2_000
const endLimitMs = 5_000

/** How the launcher of a mode is reached. */
export interface Launcher {
  /** How many processes stand above the program: they are the launcher's, and get no signals. */
  readonly above: number
  /** The signal by which the launcher ends everything below. */
  readonly ending: NodeJS.Signals
  /** Whether it ends by itself only when nothing is below it any more. */
  readonly isThorough: boolean
  /** What its command line has, and those of the processes above the program: see `markOf`. */
  readonly mark: string
}

/** A running process with its tree. */
export interface SandboxedProcess {
  readonly request: SandboxRequest
  events(): AsyncIterable<SandboxEvent>
  signal(name: string): Promise<void>
  resize: LaunchedProcess['resize']
  replaceToken(text: string): void
  /** Ends the tree; the first reason counts. Resolves when it has ended, or the machine cannot end it. */
  end(reason: ExitReason, graceMs: number): Promise<void>
  /** What the tree uses, from one reading of the machine. */
  usage(table: ProcessTable | undefined): Promise<Pick<GroupUsage, 'cpuMs' | 'memoryBytes' | 'processes'>>
}

export function createSandboxedProcess(given: {
  readonly request: SandboxRequest
  readonly launched: LaunchedProcess
  readonly launcher: Launcher
  /** Its control group, if the machine has any. */
  readonly group: ProcessGroup | undefined
  readonly exposed: Extract<SandboxEvent, { type: 'started' }>['exposed']
  readonly replaceToken: (text: string) => void
  /** Called once the tree has ended. */
  readonly release: () => Promise<void>
}): SandboxedProcess {
  const { request, launched, launcher, group, exposed, replaceToken, release } = given
  let reason: ExitReason | undefined
  let used = { cpuMs: 0, memoryBytes: 0 }
  let isOver = false
  let giveUp = (): void => undefined
  const stuck = new Promise<undefined>((resolve) => {
    giveUp = () => {
      launched.close()
      resolve(undefined)
    }
  })

  const program = (table: ProcessTable): readonly ProcessEntry[] =>
    treeOf(table, launched.pid).filter(({ depth }) => depth >= launcher.above)

  const send = async (name: NodeJS.Signals): Promise<void> => {
    for (const { pid } of program(await readProcessTable())) signalOne(pid, name)
  }

  /** Not by a signal, nor as it does by the signal that ends everything. */
  const endedItself = (exited: Awaited<LaunchedProcess['exited']> | undefined): boolean =>
    launcher.isThorough && reason === undefined && exited !== undefined && exited.code !== null && exited.code < 128

  const ended = Promise.race([launched.exited, stuck]).then(async (exited): Promise<SandboxExit> => {
    isOver = true
    // What a namespace or a group still has does not end with the launcher.
    await group?.kill()
    const measured = group?.read()
    if (group?.ranOutOfMemory() === true) reason ??= 'memory_limit'
    const left = group !== undefined ? await group.remove() : endedItself(exited) ? 0 : (await endMarked(launcher.mark)).left
    await release()
    const { cpuMs, peakMemoryBytes } = measured ?? { cpuMs: used.cpuMs || null, peakMemoryBytes: used.memoryBytes || null }
    return { ...exitOf(reason, exited?.code ?? null, exited?.signal ?? null), cpuMs, peakMemoryBytes, left }
  })
  // The events report it; without a reader it must not end the service.
  ended.catch(() => undefined)

  const within = async (limitMs: number): Promise<void> => {
    const stop = new AbortController()
    await Promise.race([ended, delay(limitMs, undefined, { signal: stop.signal }).catch(() => undefined)])
    stop.abort()
  }

  const end = async (why: ExitReason, graceMs: number): Promise<void> => {
    if (!isOver) reason ??= why
    if (graceMs > 0 && !isOver) {
      await send('SIGTERM')
      await within(graceMs)
    }
    if (!isOver) signalOne(launched.pid, launcher.ending)
    await within(launcherLimitMs)
    if (!isOver) {
      await group?.kill()
      for (const { pid } of treeOf(await readProcessTable(), launched.pid)) signalOne(pid, 'SIGKILL')
      await within(endLimitMs)
    }
    if (!isOver) giveUp()
    await ended
  }

  return {
    request,
    replaceToken,
    end,
    resize: (size) => launched.resize(size),
    async signal(name) {
      await send(name in constants.signals ? (name as NodeJS.Signals) : 'SIGTERM')
    },
    async usage(table) {
      if (group !== undefined) {
        // Version 1 ends one process of the tree; version 2 ends all at once.
        if (group.ranOutOfMemory()) end('memory_limit', 0).catch(() => undefined)
        return group.read()
      }
      if (table === undefined) return { cpuMs: 0, memoryBytes: 0, processes: 0 }
      const processes = program(table)
      const memoryBytes = processes.reduce((sum, each) => sum + each.memoryBytes, 0)
      // The launcher's time has that of every ended process that nothing below it waited for.
      const cpuMs = treeOf(table, launched.pid).reduce((sum, each) => sum + each.cpuMs, 0)
      used = { cpuMs: Math.max(used.cpuMs, cpuMs), memoryBytes: Math.max(used.memoryBytes, memoryBytes) }
      return { cpuMs: used.cpuMs, memoryBytes, processes: processes.length }
    },
    async *events() {
      yield { type: 'started', exposed }
      for await (const { stream, bytes } of launched.output) yield { type: 'output', stream, bytes }
      yield await ended
    },
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
