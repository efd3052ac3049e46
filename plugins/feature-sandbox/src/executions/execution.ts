import type { Logger } from '@agent-service/sdk'
import { onAbort } from '@agent-service/sdk/async'
import {
  type EndReason,
  type SandboxCommand,
  type SandboxDriver,
  type SandboxEvent,
  type SandboxExit,
  type SandboxRequest,
  sandboxProcessNotFoundError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { SandboxProcess, SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import { createOutputLog } from './output-log.js'
import { createPace } from './pace.js'
import { createProcessInput } from './process-input.js'
import { createReaderPace } from './reader-pace.js'

/** How long a tree has between SIGTERM and SIGKILL. */
export const graceMs = 2_000
/** How long a driver may take to end a tree, before the host leaves its events. */
const endLimitMs = 10_000

/** What of a process is known before it starts. */
export type ExecutionPlan = Pick<SandboxProcessView, 'principal' | 'kind' | 'title' | 'background' | 'chatId' | 'callers'> & {
  readonly request: SandboxRequest
  /** In milliseconds; 0: none. */
  readonly timeoutMs: number
  /** In bytes; 0: none. */
  readonly maxOutputBytes: number
}

/** A process, and what else of it only the service does. */
export interface Execution extends SandboxProcess {
  /** The name of its principal for the driver. */
  readonly principal: string
  /** How many bytes of output are kept. */
  keptBytes(): number
  /** Whether it has ended, or was told to. */
  isEnding(): boolean
  /** Gives its file another token. Ignored once it has ended. */
  replaceToken(token: string): Promise<void>
  /**
   * Keeps the process at the pace of a reader: it waits when it has written 256 KiB more than this
   * position. `undefined`: it waits for none, as at first. It never waits while it is being ended.
   */
  readTo(position: number | undefined): void
  /** Ends the tree at once, and waits for nothing. */
  abandon(): void
}

/** What runs a process. */
export interface ExecutionHost {
  readonly driver: Pick<SandboxDriver, 'run' | 'send'>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Starts a process; resolves when it runs. @throws what the driver does, the signal's reason; then
 * nothing runs.
 */
export async function startExecution(plan: ExecutionPlan, host: ExecutionHost, signal: AbortSignal): Promise<Execution> {
  const { request } = plan
  const { clock, driver, log } = host
  const controller = new AbortController()
  const input = createProcessInput()
  const forget = onAbort(signal, (reason) => controller.abort(reason))
  const events = driver.run(request, { signal: controller.signal, input: input.chunks })[Symbol.asyncIterator]()
  let first: IteratorResult<SandboxEvent>
  try {
    signal.throwIfAborted()
    first = await events.next()
    if (signal.aborted) await events.return?.()
    signal.throwIfAborted()
  } catch (error) {
    input.drop()
    throw error
  } finally {
    forget()
  }
  if (first.done === true || first.value.type !== 'started') {
    await events.return?.()
    throw new TypeError('The sandbox driver did not begin with the event “started”.')
  }
  const { exposed } = first.value
  const output = createOutputLog()
  const reader = createReaderPace()
  const startedAt = clock.now()
  let ending: Promise<SandboxExit> | undefined
  let exit: SandboxExit | null = null
  let endedAt: number | null = null

  const send = async (command: SandboxCommand): Promise<void> => {
    if (exit !== null) throw sandboxProcessNotFoundError.create({ id: request.id })
    await driver.send(request.id, command, { signal: controller.signal })
  }
  const stop = (reason: EndReason = 'stopped'): Promise<SandboxExit> => {
    reader.release()
    ending ??= endTree(reason)
    return ending
  }
  const endTree = async (reason: EndReason): Promise<SandboxExit> => {
    const cancel = clock.after(graceMs + endLimitMs, () => controller.abort(new Error('The driver did not end the process in time.')))
    try {
      // An interactive shell ends by this one alone.
      if (request.terminal !== undefined) await send({ kind: 'signal', signal: 'SIGHUP' })
      await send({ kind: 'end', reason, graceMs })
    } catch (error) {
      if (!sandboxProcessNotFoundError.isInstance(error)) {
        log.warn('A process of the sandbox could not be ended in order; it is killed.', { id: request.id, error })
        controller.abort(error)
      }
    }
    return exited.finally(() => cancel())
  }
  const consume = async (): Promise<SandboxExit> => {
    const pace = createPace(clock)
    for (;;) {
      const next = await events.next()
      if (next.done === true) throw new TypeError('The sandbox driver ended without the event “exit”.')
      const event = next.value
      if (event.type === 'exit') return event
      if (event.type !== 'output') continue
      output.append(event.stream, event.bytes)
      if (plan.maxOutputBytes > 0 && output.total > plan.maxOutputBytes) void stop('output_limit')
      await pace.took(event.bytes.length, controller.signal)
      await reader.goOn(output.total, controller.signal)
    }
  }
  const cancelTimeout = plan.timeoutMs > 0 ? clock.after(plan.timeoutMs, () => void stop('timeout')) : () => undefined
  const exited = consume()
    .catch((error: unknown): SandboxExit => {
      log.error('A process of the sandbox was lost.', { id: request.id, error })
      void events.return?.()
      return { type: 'exit', reason: 'killed', code: null, signal: null, cpuMs: null, peakMemoryBytes: null, left: 0 }
    })
    .then(async (result) => {
      exit = result
      endedAt = clock.now()
      await cancelTimeout()
      input.drop()
      output.end()
      if (result.left > 0) log.error('Processes of the sandbox could not be ended.', { id: request.id, left: result.left })
      return result
    })

  return {
    id: request.id,
    principal: request.principal,
    exposed,
    exited,
    stop,
    view: () => ({
      ...{
        id: request.id,
        principal: plan.principal,
        kind: plan.kind,
        title: plan.title,
        background: plan.background,
        chatId: plan.chatId,
        callers: plan.callers,
      },
      ...{ terminal: request.terminal !== undefined, startedAt, endedAt, exit, outputBytes: output.total },
    }),
    output: (options) => output.read(options),
    async write(bytes) {
      if (exit !== null || !(await input.write(bytes))) throw sandboxProcessNotFoundError.create({ id: request.id })
    },
    closeInput: () => input.close(),
    resize: (size) => send({ kind: 'resize', size }),
    signal: (name) => send({ kind: 'signal', signal: name }),
    keptBytes: () => output.kept,
    readTo: (position) => reader.readTo(position),
    isEnding: () => ending !== undefined || exit !== null,
    async replaceToken(text) {
      await send({ kind: 'token', text }).catch((error: unknown) => {
        if (!sandboxProcessNotFoundError.isInstance(error)) throw error
      })
    },
    abandon: () => controller.abort(new Error('The sandbox is stopping.')),
  }
}
