import path from 'node:path'
import { fileURLToPath } from 'node:url'
import headless from '@xterm/headless'
import { type IPty, spawn } from 'node-pty'

const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../kernel/cli/bin/agent-service.mjs')
const limitMs = 60_000

/** A command in a real pseudo-terminal, with a model of what its screen shows. */
export interface TerminalSession {
  /** Everything that was written to the terminal. */
  raw(): string
  /**
   * The lines of the screen and of what has scrolled out of it, up to the last that is not empty.
   */
  lines(): readonly string[]
  /** {@link lines}, with the rows of a wrapped line joined again. */
  unwrapped(): readonly string[]
  /** Where the cursor is, in the screen. */
  cursor(): { readonly column: number; readonly row: number }
  /** What the program set as the title of the terminal. */
  title(): string
  /** Resolves once the screen shows what is wanted. Rejects after a minute, or at the command's end. */
  until(what: string, isSo: (session: TerminalSession) => boolean): Promise<void>
  /** Resolves once a line of the screen holds this text. */
  shows(text: string): Promise<void>
  /** Resolves once the last line of the screen is this prompt, with nothing typed. */
  prompts(prompt: string): Promise<void>
  /** Types keys. */
  press(keys: string): void
  resize(columns: number, rows?: number): void
  readonly pid: number
  /** Resolves to the exit status. */
  readonly ended: Promise<number>
  /** Ends the command if it has not ended. */
  close(): void
}

/** Where a command runs. */
export interface TerminalOptions {
  readonly folder: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

/** Runs `agent-service` in a pseudo-terminal, with nothing in its environment but what is given. */
export function openTerminal({ folder, args, environment = {}, columns = 80, rows = 24 }: TerminalOptions): TerminalSession {
  const child: IPty = spawn(process.execPath, [binary, ...args], {
    ...{ cwd: folder, cols: columns, rows, name: environment['TERM'] ?? 'xterm-256color' },
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color', ...environment },
  })
  const screen = new headless.Terminal({ cols: columns, rows, scrollback: 2_000, allowProposedApi: true })
  let raw = ''
  let title = ''
  let status: number | undefined
  const watchers = new Set<() => void>()
  const notify = (): void => {
    for (const watcher of [...watchers]) watcher()
  }
  screen.onTitleChange((value) => {
    title = value
  })
  child.onData((data) => {
    raw += data
    screen.write(data, notify)
  })
  // What the terminal answers to questions of the program.
  screen.onData((answer) => child.write(answer))
  const ended = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => {
      // After everything that has been written is on the screen.
      screen.write('', () => {
        status = exitCode
        notify()
        resolve(exitCode)
      })
    }),
  )
  const rowsOf = (): readonly { readonly text: string; readonly continues: boolean }[] => {
    const buffer = screen.buffer.active
    return Array.from({ length: buffer.length }, (_, index) => buffer.getLine(index)).map((line) => ({
      text: line?.translateToString(true) ?? '',
      continues: line?.isWrapped === true,
    }))
  }
  const trimmed = (lines: readonly string[]): readonly string[] => lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)

  const session: TerminalSession = {
    raw: () => raw,
    lines: () => trimmed(rowsOf().map(({ text }) => text)),
    unwrapped() {
      const joined: string[] = []
      for (const { text, continues } of rowsOf()) {
        const before = continues ? joined.pop() : undefined
        joined.push(`${before ?? ''}${text}`)
      }
      return trimmed(joined)
    },
    cursor: () => ({ column: screen.buffer.active.cursorX, row: screen.buffer.active.cursorY }),
    title: () => title,
    until: (what, isSo) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          watchers.delete(look)
          settle()
        }
        const fail = (why: string): void =>
          finish(() => reject(new Error(`${what}: ${why}. The screen shows:\n${session.lines().join('\n')}`)))
        const timer = setTimeout(() => fail(`not within ${limitMs / 1_000} s`), limitMs)
        const look = (): void => {
          if (isSo(session)) finish(resolve)
          else if (status !== undefined) fail(`the command ended with ${status}`)
        }
        watchers.add(look)
        look()
      }),
    shows: (text) => session.until(`“${text}”`, ({ unwrapped }) => unwrapped().some((line) => line.includes(text))),
    prompts: (prompt) => session.until(`the prompt “${prompt}”`, ({ lines }) => lines().at(-1)?.trimEnd() === prompt),
    press: (keys) => child.write(keys),
    resize(to, height = screen.rows) {
      screen.resize(to, height)
      child.resize(to, height)
    },
    pid: child.pid,
    ended,
    close() {
      if (status === undefined) child.kill('SIGKILL')
    },
  }
  return session
}

/** What the keys send. */
export const controlC = '\u0003'
export const controlD = '\u0004'
