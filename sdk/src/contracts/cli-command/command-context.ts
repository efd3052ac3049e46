import type { JsonObject, JsonValue } from '../../core/json.js'

/** How text looks on a terminal that has styles. Elsewhere it is plain. */
export type CommandTextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/**
 * Options of {@link CommandContext.print}, {@link CommandContext.write} and
 * {@link CommandContext.warn}.
 */
export interface CommandTextOptions {
  /** Default: none. */
  readonly style?: CommandTextStyle
}

/** Options of {@link CommandContext.table}. */
export interface CommandTableOptions {
  /**
   * Titles of columns that a narrow terminal never shortens: what is copied, such as an id.
   * Default: none.
   */
  readonly whole?: readonly string[]
}

/** Options of {@link CommandContext.readLine}. */
export interface CommandLineOptions {
  /** The prompt, in bold. Default: nothing. */
  readonly prompt?: string
  /** Hides the input. Default: false. */
  readonly secret?: boolean
  /**
   * On a terminal, accepts only input typed from now on, so that typed-ahead input cannot answer an
   * unread question. Default: false.
   */
  readonly fresh?: boolean
  /** Ends the wait; partial input is dropped. Default: only the command's signal. */
  readonly signal?: AbortSignal
}

/** One event of the signed-in user's stream, as `GET /api/events` sends it. */
export interface CommandEvent {
  /** Its cursor, from which a later stream continues; absent if the event has none. */
  readonly id?: string
  /**
   * Its type. `reset`: events between the last one and the next are lost, so read the state again.
   */
  readonly name: string
  /** What it reports. */
  readonly data: JsonObject
}

/** Options of {@link CommandContext.events}. */
export interface CommandEventOptions {
  /** The cursor to continue after. Default: now. */
  readonly after?: string
  /** Further parameters of `GET /api/events`, to choose events by. Default: none. */
  readonly query?: Readonly<Record<string, string>>
  /** Ends the stream. Default: only the command's signal. */
  readonly signal?: AbortSignal
}

/** Options of {@link CommandContext.transfer}. */
export interface CommandTransferOptions {
  /** Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: nothing. */
  readonly body?: Uint8Array
}

/** The service's answer to {@link CommandContext.transfer}. */
export interface CommandTransfer {
  /** From 200 to 299. */
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** To be read once. A command that does not read it to its end leaves the iteration. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * What a command gets from the terminal and the running service. Asynchronous calls over plain
 * data.
 *
 * Control characters in whatever a command writes are made visible, since a text may come from a
 * model or another person: no text can move the cursor, clear the screen or set the clipboard.
 */
export interface CommandContext {
  /**
   * Positional arguments, in the order of the definition. Those that were left out are missing at
   * the end.
   */
  readonly arguments: readonly string[]
  /** The given options by their long name. */
  readonly options: Readonly<Record<string, string | boolean>>
  /**
   * Aborted when the command is to end early: Ctrl-C, or a signal from outside. It then has five
   * seconds.
   */
  readonly signal: AbortSignal
  /** Whether standard input and output are both terminals. */
  readonly interactive: boolean
  /** Whether standard input is a terminal; otherwise it is a pipe, a file or closed. */
  readonly inputIsTerminal: boolean
  /** Whether `--json` was given: standard output is for a program. */
  readonly json: boolean
  /**
   * Writes a line for people to standard output; with `--json` nothing. Line breaks and tabs in it
   * become spaces.
   */
  print(line: string, options?: CommandTextOptions): Promise<void>
  /**
   * Writes text without a line end to standard output; with `--json` nothing. Line feeds and tabs
   * stay. For progressive output: the pieces may end anywhere, also within a surrogate pair.
   */
  write(text: string, options?: CommandTextOptions): Promise<void>
  /**
   * Writes a table for people to standard output; with `--json` nothing. The first row has the
   * titles. Columns are aligned by the width of their characters, and the widest are shortened to
   * the width of the terminal.
   */
  table(rows: readonly (readonly string[])[], options?: CommandTableOptions): Promise<void>
  /** Writes a line to standard error, even with `--json`. */
  warn(line: string, options?: CommandTextOptions): Promise<void>
  /**
   * With `--json`, writes a value to standard output at once, as one line; without it nothing. The
   * value that the command ends with then is one line, too, so that all of the output is JSON
   * lines.
   */
  record(value: JsonValue): Promise<void>
  /**
   * Asks for a line on the terminal. With `secret` nothing is shown. @throws `not_interactive` if
   * there is no terminal.
   */
  ask(question: string, options?: { readonly secret?: boolean }): Promise<string>
  /**
   * The next line of standard input, a terminal or not; `undefined` at its end, and then again each
   * time. One wait at a time.
   * @throws the reason of an aborted signal.
   */
  readLine(options?: CommandLineOptions): Promise<string | undefined>
  /**
   * Standard input to its end, as UTF-8 text; for input that is not a terminal, in place of
   * `readLine`.
   * @throws `input_too_large` beyond `maxBytes`, and the reason of an aborted signal.
   */
  readAll(options: { readonly maxBytes: number }): Promise<string>
  /**
   * Intercepts Ctrl-C, from the first read until the iteration is left: each one arrives here
   * instead of aborting the command's signal, which other signals still do. @throws the reason of
   * an aborted signal.
   */
  interrupts(options?: { readonly signal?: AbortSignal }): AsyncIterable<'interrupt'>
  /**
   * Calls the service's HTTP API as the signed-in user; `path` begins with `/`. The first call
   * signs in, and asks for name and password if the environment has none; on a terminal it offers
   * to create a missing account.
   * @throws the service's problem as an error with its code and status, `service_unreachable` if
   * none runs.
   */
  request(method: string, path: string, body?: JsonValue): Promise<JsonValue>
  /** Like `request`, for an answer that is no JSON, such as a file: its text, unchanged. */
  requestText(method: string, path: string, body?: JsonValue): Promise<string>
  /** Like `request`, for bytes with headers of their own: a piece that is sent, a file that comes. */
  transfer(method: string, path: string, options?: CommandTransferOptions): Promise<CommandTransfer>
  /**
   * The events of the signed-in user. Resolves when the service has accepted the stream: every
   * event from then on comes, once and in order. A connection that breaks is reopened after the
   * last event; lost events are reported by an event `reset`. It does not end by itself: leave the
   * iteration, or abort.
   * @throws as `request` does; the iteration also throws `service_unreachable` after half a minute
   * without the service, and the reason of an aborted signal.
   */
  events(options?: CommandEventOptions): Promise<AsyncIterable<CommandEvent>>
}
