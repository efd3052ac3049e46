import { sleep } from '@agent-service/sdk/async'
import { sandboxProcessNotFoundError, type TerminalSize } from '@agent-service/sdk/contracts/sandbox-driver'
import { connectionClosedError, type WebSocketConnection, type WebSocketMessage } from '@agent-service/sdk/contracts/websocket-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { contextBytes, type ProcessMasks } from '../credentials/process-masks.js'
import type { Execution } from '../executions/execution.js'
import { presentExit } from '../reports/process-view.js'
import { type ClientMessage, readClientMessage, type ServiceMessage } from './control-messages.js'
import { createShownOutput, type ShownOutput } from './shown-output.js'
import type { Attachment, Terminal } from './terminal.js'

/** How long a page can hold its output back without asking again. */
const maxPauseMs = 30_000
const newLine = 0x0a

/** A connection of a page to a terminal. */
export type TerminalConnection = Pick<WebSocketConnection, 'messages' | 'send' | 'close' | 'signal'>

/** What a page asked for. */
export interface ViewerRequest {
  /** The position of the first byte that it wants; `undefined`: everything that is kept. */
  readonly from: number | undefined
  readonly watches: boolean
}

/**
 * Serves one connection to a terminal until either ends: output to the page, from a position on, and
 * what the page types to the process.
 */
export async function serveViewer(
  connection: TerminalConnection,
  {
    execution,
    terminal,
    clock,
    masks,
    request,
  }: {
    readonly execution: Execution
    readonly terminal: Terminal
    readonly clock: Pick<Clock, 'after'>
    readonly masks: ProcessMasks
    readonly request: ViewerRequest
  },
): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([connection.signal, failed.signal])
  const tell = async (message: ServiceMessage): Promise<void> => connection.send({ kind: 'text', text: JSON.stringify(message) })
  /** Sends without waiting: a connection that has closed needs no news. */
  const announce = (message: ServiceMessage): void =>
    void tell(message).catch((error: unknown) => {
      if (!connectionClosedError.isInstance(error)) failed.abort(error)
    })
  const { outputBytes } = execution.view()
  const from = Math.min(request.from ?? 0, outputBytes)
  let isAttached = false
  const attachment = terminal.attach(
    {
      control: (writer) => isAttached && announce({ type: 'control', writer }),
      size: (size) => announce({ type: 'size', ...size }),
    },
    { watches: request.watches, from },
  )
  isAttached = true
  const pause = createPause(clock)
  // Ends with the connection, or with the process that takes nothing.
  void readPage(connection, { attachment, execution, pause }).catch((error: unknown) => failed.abort(error))
  try {
    await tell({ type: 'attached', process_id: execution.id, from, writer: attachment.writes(), ...sizeOf(terminal) })
    await sendOutput(
      { execution, masks, attachment, pause, tell, signal, send: connection.send },
      { from, liveAt: outputBytes, isWhole: request.from === undefined },
    )
    await tell({ type: 'exit', ...presentExit(await execution.exited) })
  } catch (error) {
    if (failed.signal.aborted) throw failed.signal.reason
    if (!connection.signal.aborted && !connectionClosedError.isInstance(error)) throw error
  } finally {
    pause.end()
    attachment.detach()
  }
}

const sizeOf = ({ size: { columns, rows } }: Terminal): TerminalSize => ({ columns, rows })

interface OutputPath {
  readonly execution: Pick<Execution, 'output' | 'view'>
  readonly masks: ProcessMasks
  readonly attachment: Attachment
  readonly pause: Pause
  readonly send: WebSocketConnection['send']
  readonly tell: (message: ServiceMessage) => Promise<void>
  readonly signal: AbortSignal
}

/** Sends the output, with secrets masked, as the page takes it, until the process ends. */
async function sendOutput(
  { execution, masks, attachment, pause, send, tell, signal }: OutputPath,
  { from, liveAt, isWhole }: { readonly from: number; readonly liveAt: number; readonly isWhole: boolean },
): Promise<void> {
  const show = async (output: readonly ShownOutput[] = []): Promise<void> => {
    for (const part of output)
      if (part.kind === 'bytes') await send({ kind: 'binary', bytes: part.bytes })
      else await tell({ type: 'masked', text: part.text, from: part.next })
  }
  let shownOutput: ReturnType<typeof createShownOutput> | undefined
  let position = from
  let isLive = false
  const goLive = async (): Promise<void> => {
    if (isLive || position < liveAt) return
    isLive = true
    await tell({ type: 'live' })
  }
  await goLive()
  for await (const piece of execution.output({ from: Math.max(0, from - contextBytes), signal })) {
    const isCut = piece.offset > position
    // What is left of a line, or of an escape sequence, would be shown as garbage.
    const skipped = isCut && isWhole && position === from ? piece.bytes.indexOf(newLine) + 1 : 0
    const start = piece.offset + skipped
    if (isCut) {
      await show(shownOutput?.end())
      shownOutput = undefined
      await tell({ type: 'skipped', from: start })
    }
    shownOutput ??= createShownOutput(await masks.of(execution.view().principal), { start, from: Math.max(from, start) })
    await pause.over(signal)
    await show(shownOutput.take(piece.bytes.subarray(skipped)))
    position = Math.max(from, piece.offset + piece.bytes.length)
    attachment.got(position)
    await goLive()
  }
  await show(shownOutput?.end())
}

/** Takes what the page sends until the connection ends. */
async function readPage(
  { messages, close }: Pick<TerminalConnection, 'messages' | 'close'>,
  { attachment, execution, pause }: { readonly attachment: Attachment; readonly execution: Execution; readonly pause: Pause },
): Promise<void> {
  for await (const message of messages) {
    if (message.kind === 'binary') {
      if (attachment.writes()) await unlessEnded(() => execution.write(message.bytes))
    } else {
      const control = controlOf(message)
      if (control === undefined) return close(1008, 'invalid_message')
      if (control.type === 'take') attachment.take()
      else if (control.type === 'pause') pause.begin()
      else if (control.type === 'resume') pause.end()
      else await unlessEnded(() => attachment.resize({ columns: control.columns, rows: control.rows }))
    }
  }
}

const controlOf = (message: WebSocketMessage): ClientMessage | undefined =>
  message.kind === 'text' ? readClientMessage(message.text) : undefined

/** The page hears of the end by the message `exit`. */
async function unlessEnded(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!sandboxProcessNotFoundError.isInstance(error)) throw error
  }
}

interface Pause {
  begin(): void
  end(): void
  /** Resolves when nothing holds the output back. @throws the reason of the signal. */
  over(signal: AbortSignal): Promise<void>
}

function createPause(clock: Pick<Clock, 'after'>): Pause {
  let current: AbortController | undefined
  const end = (): void => {
    current?.abort()
    current = undefined
  }
  return {
    begin() {
      end()
      current = new AbortController()
    },
    end,
    async over(signal) {
      while (current !== undefined) {
        const held = current
        await sleep(maxPauseMs, { signal: AbortSignal.any([held.signal, signal]), clock }).catch(() => undefined)
        signal.throwIfAborted()
        if (current === held) current = undefined
      }
    },
  }
}
