import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
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
  /** Writes whole lines: above the prompt if one is shown, which is then painted again. */
  above(write: () => void): void
  close(): void
}

/** Kept lines; beyond them the input is paused. */
const maxLines = 1_000

/**
 * Starts reading. On a terminal, Ctrl-C reaches the process as SIGINT. What is typed while no line
 * is awaited is shown with the next prompt, so that it never stands within other output.
 */
export function createLineReader(options: {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WriteStream
  readonly interactive: boolean
  /** Whether the terminal can move its cursor. */
  readonly movesCursor: boolean
}): LineReader {
  const { input, output, interactive, movesCursor } = options
  const screen = createScreen(output)
  const reader = createInterface({ input, output: screen.stream, terminal: interactive })
  const kept: string[] = []
  let ended = false
  /** Whether a secret is being typed. */
  let hidden = false
  let waiting: ((line: string | undefined) => void) | undefined

  reader.on('line', (line) => {
    if (waiting) {
      screen.mute(interactive)
      return waiting(line)
    }
    kept.push(line)
    if (kept.length >= maxLines) reader.pause()
  })
  reader.on('close', () => {
    ended = true
    if (waiting && interactive) output.write('\n')
    waiting?.(undefined)
  })
  reader.on('history', (history) => {
    if (hidden) history.shift()
  })
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))

  /** Where readline believes its cursor to be, in rows below the prompt; it repaints from there. */
  const cursorIsAt = (rows: number): void => void Reflect.set(reader, 'prevRows', rows)
  const cursorIsWhereTyped = (): void => cursorIsAt(reader.getCursorPos().rows)
  // By itself, readline does not count the rows of a line that has grown beyond the width.
  if (interactive) input.on('keypress', cursorIsWhereTyped)
  const isPainted = (): boolean => waiting !== undefined && interactive && movesCursor && !screen.isMuted()
  const onResize = (): void => {
    if (!isPainted()) return
    // The terminal has wrapped the line again.
    cursorIsWhereTyped()
    screen.stream.emit('resize')
  }
  output.on('resize', onResize)

  const showPrompt = (prompt: string): void => {
    if (ended) return
    screen.mute(false)
    reader.setPrompt(prompt)
    cursorIsAt(0)
    reader.prompt(true)
  }
  /** A line that was typed ahead of its prompt; the terminal has not shown it yet. */
  const takeKept = (prompt: string): string | undefined => {
    const line = kept.shift()
    if (interactive) output.write(`${prompt}${line ?? ''}\n`)
    else if (!ended) output.write(prompt)
    if (!ended) reader.resume()
    return line
  }
  const dropTyped = (): void => reader.write(null, { ctrl: true, name: 'u' })
  const wait = (signal: AbortSignal | undefined, prompt: string): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const forget = onAbort(signal, (reason) => {
        waiting = undefined
        screen.mute(interactive)
        if (interactive && !ended) dropTyped()
        if (prompt !== '') output.write('\n')
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
      if (!(fresh && interactive) && kept.length > 0) return takeKept(prompt)
      if (ended) return undefined
      if (fresh && interactive) dropTyped()
      showPrompt(prompt)
      screen.mute(secret)
      hidden = secret
      try {
        return await wait(signal, prompt)
      } finally {
        hidden = false
        screen.mute(interactive)
        // The end of the hidden line is hidden, too.
        if (secret && interactive) output.write('\n')
      }
    },
    above(write) {
      if (!isPainted()) return write()
      moveCursor(output, 0, -reader.getCursorPos().rows)
      cursorTo(output, 0)
      clearScreenDown(output)
      write()
      cursorIsAt(0)
      reader.prompt(true)
    },
    close() {
      output.off('resize', onResize)
      input.off('keypress', cursorIsWhereTyped)
      reader.close()
    },
  }
}

/** The output as the reader sees it: as wide as the terminal, and muted on request. */
function createScreen(output: NodeJS.WriteStream) {
  let muted = false
  const stream = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) output.write(chunk)
      done()
    },
  })
  Object.defineProperty(stream, 'columns', { get: () => output.columns })
  return {
    stream,
    isMuted: () => muted,
    mute(mute: boolean) {
      muted = mute
    },
  }
}
