import { abortable, createBoundedQueue, untilAborted } from '../../async/index.js'
import type {
  CommandContext,
  CommandEvent,
  CommandLineOptions,
  CommandTransfer,
  CommandTransferOptions,
} from '../../contracts/cli-command/index.js'
import { ServiceError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'

/** The options of {@link createTestCommand}. */
export interface TestCommandOptions {
  /** Positional arguments. Default none. */
  readonly arguments?: readonly string[]
  /** Options by their long name. Default none. */
  readonly options?: Readonly<Record<string, string | boolean>>
  /** Whether a person is at the terminal. Default: true. */
  readonly interactive?: boolean
  /** Whether standard input is a terminal. Default: `interactive`. */
  readonly inputIsTerminal?: boolean
  /**
   * Whether the command is called with `--json`. Then `output` has only records. Default: false.
   */
  readonly json?: boolean
  /**
   * The service's answer to a request. Default: null. For `requestText`, a string is the text.
   */
  answer?(method: string, path: string, body?: JsonValue): JsonValue | Promise<JsonValue>
  /** The service's answer to a transfer. Default: 204 without a body. */
  transfer?(method: string, path: string, options: CommandTransferOptions): CommandTransfer | Promise<CommandTransfer>
  /** The first events of each stream. Default: none. */
  readonly events?: readonly CommandEvent[]
}

/** A terminal and a service for one call of a command, in memory. */
export interface TestCommand {
  /** The context that the command is called with. */
  readonly context: CommandContext
  /** The lines of `print`, and a line for each row of a `table`, its cells two spaces apart. */
  readonly lines: readonly string[]
  /** The values of `record`. */
  readonly records: readonly JsonValue[]
  /** The lines of `warn`. */
  readonly warnings: readonly string[]
  /** The prompts and questions that were shown. */
  readonly prompts: readonly string[]
  /** All of standard output, unchanged. */
  output(): string
  /** How many streams of events and of interrupts are open. */
  openStreams(): number
  /** Types a line. */
  type(line: string): void
  /** Ends standard input after the typed lines. */
  endInput(): void
  /** Sends an event on every stream that is open. */
  emit(event: CommandEvent): void
  /**
   * Presses Ctrl-C: interrupts the reader of interrupts if there is one, otherwise aborts the
   * command's signal.
   */
  interrupt(): void
  /** Aborts the command's signal. */
  abort(): void
}

const maxItems = 1_000
/** A command that keeps reading after the end would block the event loop. */
const maxReadsBehindEnd = 10

/** Makes a terminal and a service in memory, for tests of a command. */
export function createTestCommand(options: TestCommandOptions = {}): TestCommand {
  const controller = new AbortController()
  const { signal } = controller
  const input = createTestInput(signal)
  const events = createTestStreams(signal, options.events)
  const interrupts = createTestStreams<'interrupt'>(signal)
  const lines: string[] = []
  const warnings: string[] = []
  const prompts: string[] = []
  const records: JsonValue[] = []
  let output = ''
  const { interactive = true, json = false } = options
  const printLine = (line: string): void => {
    if (json) return
    lines.push(line)
    output += `${line}\n`
  }

  /** As in the program, every call of the service ends with the command's signal. */
  const ofService = <T>(call: () => T | Promise<T>): Promise<T> => abortable(async () => call(), signal)

  const context: CommandContext = {
    arguments: options.arguments ?? [],
    options: options.options ?? {},
    signal,
    interactive,
    inputIsTerminal: options.inputIsTerminal ?? interactive,
    json,
    print: async (line) => printLine(line),
    async write(text) {
      if (typeof text !== 'string') throw new TypeError(`write received ${typeof text}; expected a string.`)
      if (!json) output += text
    },
    async table(rows) {
      for (const row of rows) printLine(row.map(inOneLine).join('  ').trimEnd())
    },
    async record(value) {
      if (!json) return
      records.push(value)
      output += `${JSON.stringify(value)}\n`
    },
    warn: async (line) => void warnings.push(line),
    async ask(question) {
      prompts.push(question)
      if (!interactive) throw notInteractive(question)
      const line = await input.next({})
      if (line === undefined) throw new Error(`The test types nothing to “${question}”.`)
      return line
    },
    readLine(readOptions = {}) {
      if (readOptions.prompt !== undefined) prompts.push(readOptions.prompt)
      return input.next(readOptions)
    },
    async readAll({ maxBytes }) {
      const all: string[] = []
      for (let line = await input.next({}); line !== undefined; line = await input.next({})) all.push(line)
      const text = all.join('\n')
      if (new TextEncoder().encode(text).length > maxBytes) throw inputTooLarge(maxBytes)
      return text
    },
    interrupts: ({ signal: own } = {}) => interrupts.open(own),
    request: async (method, path, body) => (await ofService(() => options.answer?.(method, path, body))) ?? null,
    async requestText(method, path, body) {
      const answer = await ofService(() => options.answer?.(method, path, body))
      return typeof answer === 'string' ? answer : JSON.stringify(answer ?? null)
    },
    transfer: async (method, path, transferOptions = {}) =>
      (await ofService(() => options.transfer?.(method, path, transferOptions))) ?? { status: 204, headers: {}, body: noBytes() },
    events: async ({ signal: own } = {}) => events.open(own),
  }
  return {
    context,
    lines,
    records,
    warnings,
    prompts,
    output: () => output,
    openStreams: () => events.size() + interrupts.size(),
    type: input.type,
    endInput: input.end,
    emit: events.send,
    interrupt() {
      if (interrupts.size() > 0) interrupts.send('interrupt')
      else controller.abort(new DOMException('interrupted', 'AbortError'))
    },
    abort: () => controller.abort(new DOMException('stopped', 'AbortError')),
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array, void, undefined> {
  yield* []
}

const notInteractive = (question: string): ServiceError =>
  new ServiceError({ code: 'not_interactive', status: 400, title: 'No terminal', message: `“${question}” needs an answer.` })

const inOneLine = (cell: string): string => cell.replaceAll(/[\n\r\t]/g, ' ')

const inputTooLarge = (maxBytes: number): ServiceError =>
  new ServiceError({ code: 'input_too_large', status: 413, title: 'Input too large', message: `More than ${maxBytes} bytes.` })

interface TestInput {
  next(options: CommandLineOptions): Promise<string | undefined>
  type(line: string): void
  end(): void
}

function createTestInput(commandSignal: AbortSignal): TestInput {
  const typed: string[] = []
  let waiting: (() => void) | undefined
  let ended = false
  let readsBehindEnd = 0
  const wake = (): void => waiting?.()

  return {
    async next({ signal }) {
      // Answers in a later turn: a command that reads for ever must not block the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      const either = AbortSignal.any([commandSignal, ...(signal ? [signal] : [])])
      while (typed.length === 0 && !ended && !either.aborted) {
        await new Promise<void>((resolve) => {
          waiting = resolve
          either.addEventListener('abort', wake, { once: true })
        })
        either.removeEventListener('abort', wake)
      }
      either.throwIfAborted()
      if (typed.length > 0) return typed.shift()
      readsBehindEnd += 1
      if (readsBehindEnd > maxReadsBehindEnd) throw new Error('The command reads on after the end of its input.')
      return undefined
    },
    type(line) {
      typed.push(line)
      wake()
    },
    end() {
      ended = true
      wake()
    },
  }
}

/** Streams that are open until the reader leaves them or a signal is aborted. */
function createTestStreams<T>(commandSignal: AbortSignal, first: readonly T[] = []) {
  const open = new Set<{ offer(item: T): boolean }>()
  return {
    size: () => open.size,
    send(item: T): void {
      for (const stream of open) {
        if (!stream.offer(item)) throw new Error(`The command left ${maxItems} items unread.`)
      }
    },
    /** Opened when it is called, not when it is first read. */
    open(own: AbortSignal | undefined): AsyncIterable<T> {
      const queue = createBoundedQueue<T>({ maxItems })
      const signal = AbortSignal.any([commandSignal, ...(own ? [own] : [])])
      const close = (): void => void open.delete(queue)
      open.add(queue)
      for (const item of first) queue.offer(item)
      if (signal.aborted) close()
      signal.addEventListener('abort', close, { once: true })
      const items = untilAborted(queue, signal)
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => items.next(),
          return() {
            close()
            return items.return?.() ?? Promise.resolve({ done: true as const, value: undefined })
          },
        }),
      }
    },
  }
}
