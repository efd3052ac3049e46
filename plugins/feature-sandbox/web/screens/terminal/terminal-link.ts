import { addressOf, isProblem, placed } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'
import type { Size } from './emulator.js'
import { createKeyQueue } from './key-queue.js'

/** What a process came to. */
export type Exit = Schemas['SandboxExit']

/** How the connection is doing. */
export type LinkState = 'connecting' | 'open' | 'reconnecting' | 'ended' | 'gone'

type Message =
  | ({ readonly type: 'attached'; readonly from: number; readonly writer: boolean } & Size)
  | { readonly type: 'live' }
  | { readonly type: 'skipped'; readonly from: number }
  | { readonly type: 'masked'; readonly text: string; readonly from: number }
  | { readonly type: 'control'; readonly writer: boolean }
  | ({ readonly type: 'size' } & Size)
  | ({ readonly type: 'exit' } & Exit)

export interface TerminalEvents {
  onState(state: LinkState): void
  /** Resolves when the output has been drawn. */
  onOutput(bytes: Uint8Array): Promise<void>
  /** Output is missing: it is no longer kept. */
  onSkipped(): void
  onWriter(writes: boolean): void
  onSize(size: Size): void
  onExit(exit: Exit | null): void
}

/** The connection of this page to a terminal. */
export interface TerminalLink {
  /**
   * Keys of a person are kept until the terminal is live, also after an interruption; answers of the
   * emulator to old output are dropped.
   */
  type(bytes: Uint8Array, byPerson: boolean): void
  resize(size: Size): void
  /** Writes from now on. */
  take(): void
  /** Writes no more. */
  watch(): void
  close(): void
}

const maxPauseMs = 10_000
/** The process waits above the first, and goes on below the second. */
const [highBytes, lowBytes] = [524_288, 65_536]
/** More keys than that before the terminal is live are dropped. */
const maxEarlyKeys = 4_096

/**
 * Keeps a page connected to a terminal. After an interruption it continues at the byte that is
 * missing, so nothing is drawn twice; a page that only watched comes back as one that watches.
 */
export function connectTerminal(processId: string, watches: boolean, events: TerminalEvents): TerminalLink {
  let socket: WebSocket | undefined
  let position: number | undefined
  let writes = !watches
  let pauseMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let finished = false
  let answers = false
  let asWatcher = watches
  let early: number[] = []
  const keys = createKeyQueue((bytes) => {
    if (!writes) return
    if (answers && socket?.readyState === WebSocket.OPEN) socket.send(bytes)
    else keepEarly(bytes)
  })
  const keepEarly = (bytes: Uint8Array): void => {
    if (early.length + bytes.length <= maxEarlyKeys) early.push(...bytes)
  }
  const say = (message: object): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  const finish = (state: 'ended' | 'gone', exit: Exit | null): void => {
    finished = true
    clearTimeout(timer)
    events.onWriter(false)
    events.onExit(exit)
    events.onState(state)
  }

  const open = (): void => {
    if (finished) return
    answers = false
    asWatcher = !writes
    const query = { ...(position !== undefined && { from: position }), ...(asWatcher && { watch: true }) }
    const path = addressOf('/api/sandbox/terminals/{process_id}', { path: { process_id: processId }, query })
    const made = new WebSocket(new URL(placed(path), location.href.replace(/^http/, 'ws')))
    made.binaryType = 'arraybuffer'
    socket = made
    const flow = createFlow((message) => say({ type: message }))
    made.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (socket !== made) return
      if (typeof data === 'string') hear(JSON.parse(data) as Message)
      else {
        position = (position ?? 0) + data.byteLength
        flow.begin(data.byteLength)
        void events.onOutput(new Uint8Array(data)).then(() => flow.end(data.byteLength))
      }
    })
    made.addEventListener('close', ({ code, reason }) => {
      if (socket !== made || finished) return
      answers = false
      if (code === 1008 && reason === 'not_found') finish('gone', null)
      else retry()
    })
  }

  const hear = (message: Message): void => {
    switch (message.type) {
      case 'attached':
        position = message.from
        pauseMs = 0
        events.onState('open')
        setWriter(message.writer)
        events.onSize(message)
        return
      case 'live':
        answers = true
        if (writes && early.length > 0) keys.add(Uint8Array.from(early))
        early = []
        return
      case 'skipped':
        position = message.from
        events.onSkipped()
        return
      case 'masked':
        position = message.from
        void events.onOutput(new TextEncoder().encode(message.text))
        return
      case 'control':
        setWriter(message.writer)
        return
      case 'size':
        events.onSize(message)
        return
      case 'exit':
        finish('ended', message)
    }
  }

  const setWriter = (now: boolean): void => {
    writes = now
    events.onWriter(now)
  }

  const retry = (): void => {
    events.onState('reconnecting')
    clearTimeout(timer)
    timer = setTimeout(() => void check(), pauseMs)
    pauseMs = Math.min(maxPauseMs, Math.max(250, pauseMs * 2))
  }

  /** Whether the terminal is still there; waits for a sign-in if the session has ended. */
  const check = async (): Promise<void> => {
    try {
      await api.get('/api/sandbox/processes/{process_id}', { path: { process_id: processId } })
      open()
    } catch (error) {
      if (finished) return
      if (isProblem(error, 'not_found')) finish('gone', null)
      else retry()
    }
  }

  const soon = (): void => {
    if (socket?.readyState !== WebSocket.CLOSED || finished) return
    pauseMs = 0
    retry()
  }
  window.addEventListener('online', soon)
  events.onState('connecting')
  open()

  return {
    type(bytes, byPerson) {
      if (!writes) return
      if (answers) keys.add(bytes)
      else if (byPerson) keepEarly(bytes)
    },
    resize: ({ columns, rows }) => writes && say({ type: 'resize', columns, rows }),
    take() {
      writes = true
      if (!asWatcher) return say({ type: 'take' })
      socket?.close()
      open()
    },
    watch() {
      early = []
      setWriter(false)
      socket?.close()
      open()
    },
    close() {
      finished = true
      clearTimeout(timer)
      keys.close()
      window.removeEventListener('online', soon)
      socket?.close()
    },
  }
}

/** Asks the process to wait while the page has more output than it has drawn. */
function createFlow(say: (message: 'pause' | 'resume') => void) {
  let waiting = 0
  let paused = false
  return {
    begin(bytes: number): void {
      waiting += bytes
      if (paused || waiting < highBytes) return
      paused = true
      say('pause')
    },
    end(bytes: number): void {
      waiting -= bytes
      if (!paused || waiting > lowBytes) return
      paused = false
      say('resume')
    },
  }
}
