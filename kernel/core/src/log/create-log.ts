import { createRequire } from 'node:module'
import type { LogFields, Logger } from '@agent-service/sdk'
import { type DestinationStream, destination, pino } from 'pino'
import type { Redactor } from './redactor.js'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogOptions {
  readonly redactor: Redactor
  /** Default `info`. */
  readonly level?: LogLevel
  /**
   * `json`: one object a line. `pretty`: for people. Default: `pretty` if standard output is a
   * terminal.
   */
  readonly format?: 'json' | 'pretty'
  /**
   * The target. Default: standard output, without waiting; when 16 MiB are unread, further lines
   * are dropped.
   */
  readonly stream?: DestinationStream
  /** Gets each line as it is written: redacted JSON, whatever the format. Must neither throw nor wait. */
  readonly onLine?: (line: string) => void
}

export interface Log {
  readonly logger: Logger
  /** Takes effect with the next line. */
  setLevel(level: LogLevel): void
  /** Writes buffered lines; call it before the process ends. */
  flush(): void
}

/** Members of a line that pino itself writes; a field with such a name gets a `_` appended. */
const reserved: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'pid', 'hostname'])

/**
 * Opens a log. The message and fields of every line, also of child logs, are redacted when the line
 * is written.
 */
export function createLog(options: LogOptions): Log {
  const { redactor, onLine } = options
  const format = options.format ?? (options.stream === undefined && process.stdout.isTTY ? 'pretty' : 'json')
  const target = options.stream ?? standardOutput(format)
  const written = format === 'pretty' ? prettyStream(target, { colorize: options.stream === undefined }) : target
  const sink = onLine === undefined ? written : besides(written, onLine)
  const writer = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // The fields are plain JSON already, so pino's own serializers are not needed.
      serializers: {},
    },
    sink,
  )

  const write = (level: LogLevel, bound: LogFields, message: string, fields: LogFields | undefined): void => {
    try {
      if (!writer.isLevelEnabled(level)) return
      writer[level](withoutReserved(redactor.fields(bound), redactor.fields(fields)), redactor.text(String(message)))
    } catch {
      // A line that cannot be written is lost: logging must never fail the caller's work.
    }
  }

  const loggerWith = (bound: LogFields): Logger =>
    Object.freeze<Logger>({
      debug: (message, fields) => write('debug', bound, message, fields),
      info: (message, fields) => write('info', bound, message, fields),
      warn: (message, fields) => write('warn', bound, message, fields),
      error: (message, fields) => write('error', bound, message, fields),
      child: (fields) => loggerWith({ ...bound, ...fields }),
    })

  return Object.freeze<Log>({
    logger: loggerWith({}),
    setLevel: (level) => {
      writer.level = level
    },
    flush: () => {
      if ('flushSync' in target && typeof target.flushSync === 'function') {
        try {
          target.flushSync()
        } catch {
          // The reader has closed the stream, so the failure cannot be reported.
        }
      }
    },
  })
}

/** Writes to a terminal synchronously, to anything else asynchronously. */
function standardOutput(format: 'json' | 'pretty'): DestinationStream {
  const stream = destination({ fd: 1, sync: format === 'pretty', maxLength: 16 * 1024 * 1024 })
  // A reader that closes the stream must not end the service.
  stream.on('error', () => undefined)
  return stream
}

const besides = (target: DestinationStream, onLine: (line: string) => void): DestinationStream => ({
  write(line) {
    target.write(line)
    onLine(line)
  },
})

function prettyStream(target: DestinationStream, options: { readonly colorize: boolean }): DestinationStream {
  // Only loaded for terminals.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  const prettify = prettyFactory({ ...options, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true })
  return { write: (line) => void target.write(prettify(harmless(line))) }
}

/**
 * A line of JSON whose control characters stay visible as text, so that logged text cannot control
 * the terminal.
 */
const harmless = (line: string): string =>
  line
    .replace(/\\(?:u00[01][0-9a-f]|.)/gi, (sequence) =>
      /^\\[urbf]./.test(`${sequence} `) && sequence !== '\\u' ? `\\${sequence}` : sequence,
    )
    .replace(/[\u007f-\u009f]/g, (character) => `\\\\u00${character.charCodeAt(0).toString(16)}`)

function withoutReserved(...all: readonly unknown[]): object {
  const entries = all.flatMap((fields) => (typeof fields === 'object' && fields !== null ? Object.entries(fields) : []))
  return Object.fromEntries(entries.map(([name, value]) => [reserved.has(name) ? `${name}_` : name, value]))
}
