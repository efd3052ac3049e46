import { styleText } from 'node:util'
import { onAbort } from '@agent-service/sdk/async'
import { inputTooLargeError } from './errors.js'
import { createLineReader, type LineReader } from './line-reader.js'
import type { Line, Terminal, TextStyle } from './terminal.js'
import { createVisibleStream, visibleLine, visibleText } from './visible-text.js'

/**
 * The process's own terminal. `close` ends reading from it. `NO_COLOR` and `TERM` of the
 * environment decide about styles.
 */
export function processTerminal(environment: Readonly<Record<string, string | undefined>>): Terminal & { close(): void } {
  const { stdin, stdout, stderr } = process
  const interactive = stdin.isTTY === true && stdout.isTTY === true
  const dumb = environment['TERM'] === 'dumb'
  const plain = dumb || Boolean(environment['NO_COLOR'])
  const stream = createVisibleStream()
  let reader: LineReader | undefined
  const closing = new Set<() => void>()
  const onError = (error: NodeJS.ErrnoException): void => {
    // A pipe without a reader, or a terminal that is gone.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    for (const listener of closing) listener()
  }
  for (const output of [stdout, stderr]) output.on('error', onError)
  const inStyle = (output: NodeJS.WriteStream, style: TextStyle | undefined, text: string): string =>
    // The stream has been checked here.
    style === undefined || plain || !output.isTTY || text === '' ? text : styleText(style, text, { validateStream: false })
  const lineOn = (output: NodeJS.WriteStream, line: Line): void => {
    const { style, text } = typeof line === 'string' ? { style: undefined, text: line } : line
    output.write(`${inStyle(output, style, visibleText(text))}\n`)
  }
  const above = (write: () => void): void => (reader ? reader.above(write) : write())
  return {
    interactive,
    inputIsTerminal: stdin.isTTY === true,
    columns: () => (stdout.isTTY === true && stdout.columns > 0 ? stdout.columns : undefined),
    line(line) {
      const rest = stream.end()
      if (rest !== '') stdout.write(rest)
      above(() => lineOn(stdout, line))
    },
    write: (text, style) => void stdout.write(inStyle(stdout, style, stream.take(text))),
    problem: (line) => above(() => lineOn(stderr, line)),
    onClosed: (listener) => void closing.add(listener),
    readLine({ prompt, promptStyle, ...options } = {}) {
      if (options.secret === true && stdin.isTTY && !interactive) return Promise.resolve(undefined)
      reader ??= createLineReader({ input: stdin, output: stdout, interactive, movesCursor: !dumb })
      const shown = prompt === undefined ? {} : { prompt: inStyle(stdout, promptStyle, visibleLine(prompt)) }
      return reader.next({ ...options, ...shown })
    },
    readAll: (options) => readToEnd(stdin, options),
    close: () => reader?.close(),
  }
}

async function readToEnd(
  input: NodeJS.ReadStream,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<string> {
  signal?.throwIfAborted()
  const forget = onAbort(signal, (reason) => void input.destroy(reason instanceof Error ? reason : undefined))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk as Buffer | string)
      size += bytes.length
      if (size > maxBytes) throw inputTooLargeError.create({ maxBytes })
      chunks.push(bytes)
    }
  } finally {
    forget()
  }
  return Buffer.concat(chunks).toString('utf8')
}
