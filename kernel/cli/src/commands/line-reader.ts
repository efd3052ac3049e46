import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { onAbort } from '@agent-service/sdk/async'

/** How a line is read. */
export interface ReadLineOptions {
  /** Shown before the input. Default: nothing. */
  readonly prompt?: string
  /** Neither shows the input nor keeps it in the history. */
  readonly secret?: boolean
  /**
   * On a terminal, takes only a line typed from now on, so that nothing typed ahead answers a
   * question unread.
   */
  readonly fresh?: boolean
  /** Ends the wait with its reason; partial input is dropped. */
  readonly signal?: AbortSignal
}

/** Reads an input line by line. Lines that arrive early are kept. */
export interface LineReader {
  /** The next line; `undefined` at the end of the input. One wait at a time. */
  next(options: ReadLineOptions): Promise<string | undefined>
  close(): void
}

/** Kept lines; beyond them the input is paused. */
const maxLines = 1_000

/** Starts reading. On a terminal, Ctrl-C reaches the process as SIGINT. */
export function createLineReader(options: {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WriteStream
  readonly interactive: boolean
}): LineReader {
  const { input, output, interactive } = options
  const screen = createScreen(output)
  const reader = createInterface({ input, output: screen.stream, terminal: interactive })
  const kept: string[] = []
  let ended = false
  let waiting: ((line: string | undefined) => void) | undefined

  reader.on('line', (line) => {
    if (waiting) return waiting(line)
    kept.push(line)
    if (kept.length >= maxLines) reader.pause()
  })
  reader.on('close', () => {
    ended = true
    waiting?.(undefined)
  })
  reader.on('history', (history) => {
    if (screen.hides()) history.shift()
  })
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))

  const wait = (signal: AbortSignal | undefined): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const forget = onAbort(signal, (reason) => {
        waiting = undefined
        if (interactive && !ended) reader.write(null, { ctrl: true, name: 'u' })
        reject(reason)
      })
      waiting = (line) => {
        waiting = undefined
        forget()
        resolve(line)
      }
    })

  return {
    async next({ prompt = '', secret = false, fresh = false, signal }) {
      signal?.throwIfAborted()
      reader.setPrompt(prompt)
      if (!ended) reader.prompt()
      if (!(fresh && interactive) && kept.length > 0) return kept.shift()
      if (ended) return undefined
      screen.hide(secret)
      try {
        return await wait(signal)
      } finally {
        screen.hide(false)
        // The end of the hidden line is hidden, too.
        if (secret && interactive) output.write('\n')
      }
    },
    close: () => reader.close(),
  }
}

/** The output as the reader sees it: as wide as the terminal, and muted while a secret is typed. */
function createScreen(output: NodeJS.WriteStream) {
  let hidden = false
  const stream = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) output.write(chunk)
      done()
    },
  })
  Object.defineProperty(stream, 'columns', { get: () => output.columns })
  return {
    stream,
    hides: () => hidden,
    hide(hide: boolean) {
      hidden = hide
    },
  }
}
