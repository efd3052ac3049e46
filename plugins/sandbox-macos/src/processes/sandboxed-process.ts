import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExitReason, SandboxEvent, SandboxExit, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import type { LaunchedProcess } from '@agent-service/sdk/sandbox-processes'
import { type ProcessTable, readProcessTable } from './process-table.js'
import { createProcessTree, type TreeUsage } from './process-tree.js'
import { sendSignal } from './send-signal.js'

/** How long the machine may take to end a tree. */
const endLimitMs = 5_000
const roundMs = 20

/** A running process with its tree. */
export interface SandboxedProcess {
  readonly request: SandboxRequest
  /** To be read once. */
  events(): AsyncIterable<SandboxEvent>
  /** To the whole tree. */
  signal(name: string): Promise<void>
  resize: LaunchedProcess['resize']
  replaceToken(text: string): Promise<void>
  /** Ends the tree; the first reason counts. Resolves when it has ended. */
  end(reason: ExitReason, graceMs: number): Promise<void>
  /** What the tree uses, by a reading of the machine. */
  usage(table: ProcessTable): TreeUsage
}

export function createSandboxedProcess(given: {
  readonly request: SandboxRequest
  readonly launched: LaunchedProcess
  readonly exposed: Extract<SandboxEvent, { type: 'started' }>['exposed']
  readonly replaceToken: (text: string) => Promise<void>
  /** Called once the tree has ended. */
  readonly release: () => Promise<void>
}): SandboxedProcess {
  const { request, launched, exposed, replaceToken, release } = given
  const tree = createProcessTree(launched.pid)
  let reason: ExitReason | undefined
  /** From then on a number may be another process's. */
  let isOver = false
  const signalAll = async (name: NodeJS.Signals): Promise<void> => {
    for (const { pid } of tree.follow(await readProcessTable())) sendSignal(pid, name)
  }
  /** How many are left when the machine has had its time. */
  const endAll = async (): Promise<number> => {
    for (const until = Date.now() + endLimitMs; ; await delay(roundMs)) {
      const left = tree.follow(await readProcessTable())
      if (left.length === 0 || Date.now() > until) return left.length
      for (const { pid } of left) sendSignal(pid, 'SIGKILL')
    }
  }
  let giveUp = (): void => undefined
  /** A process that the machine does not end would keep the events open for ever. */
  const stuck = new Promise<Awaited<LaunchedProcess['exited']>>((resolve) => {
    giveUp = () => {
      launched.close()
      resolve({ code: null, signal: null })
    }
  })
  const finish = async ({ code, signal }: Awaited<LaunchedProcess['exited']>): Promise<SandboxExit> => {
    try {
      // At once, while the group is certainly the root's.
      sendSignal(-launched.pid, 'SIGKILL')
      const left = await endAll()
      isOver = true
      const [cpuMs, peakMemoryBytes] = [tree.usage().cpuMs || null, tree.peakMemoryBytes() || null]
      return { ...exitOf(reason, code, signal), cpuMs, peakMemoryBytes, left }
    } finally {
      await release()
    }
  }
  const ended = Promise.race([launched.exited, stuck]).then(finish)
  // It is reported by the events; who only ends the process need not hear of it twice.
  ended.catch(() => undefined)
  return {
    ...{ request, replaceToken },
    resize: (size) => launched.resize(size),
    signal: (name) => signalAll(name in constants.signals ? (name as NodeJS.Signals) : 'SIGTERM'),
    async end(why, graceMs) {
      if (isOver) return void (await ended)
      reason ??= why
      if (graceMs > 0) {
        await signalAll('SIGTERM')
        await settleWithin(ended, graceMs)
      }
      // What has left the group is found while its parent still lives.
      await signalAll('SIGKILL')
      await settleWithin(ended, endLimitMs)
      giveUp()
      await ended
    },
    usage(table) {
      tree.follow(table)
      return tree.usage()
    },
    async *events() {
      yield { type: 'started', exposed }
      for await (const { stream, bytes } of launched.output) yield { type: 'output', stream, bytes }
      yield await ended
    },
  }
}

/** Waits so long at most. */
async function settleWithin(promise: Promise<unknown>, limitMs: number): Promise<void> {
  const settled = new AbortController()
  await Promise.race([promise.finally(() => settled.abort()), delay(limitMs, undefined, { signal: settled.signal }).catch(() => undefined)])
}

function exitOf(
  reason: ExitReason | undefined,
  code: number | null,
  signal: NodeJS.Signals | null,
): Pick<SandboxExit, 'type' | 'reason' | 'code' | 'signal'> {
  const type = 'exit'
  if (reason !== undefined) return { type, reason, code: null, signal: signal ?? 'SIGKILL' }
  return signal === null ? { type, reason: 'exit', code, signal: null } : { type, reason: 'signal', code: null, signal }
}
