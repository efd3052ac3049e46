import type { JsonValue } from '@agent-service/sdk'
import type { Terminal } from '../../terminal/terminal.js'
import { visibleJson } from '../../terminal/visible-text.js'

/** What a command prints with `--json`. */
export interface JsonOutput {
  /** Prints a value as one line. From then on the result is one line, too: JSON lines. */
  record(value: JsonValue): void
  /** Prints the result of the command. */
  result(value: JsonValue): void
}

/** Prints on standard output. */
export function createJsonOutput(terminal: Pick<Terminal, 'line'>): JsonOutput {
  let recorded = false
  return {
    record(value) {
      recorded = true
      terminal.line(visibleJson(value) ?? 'null')
    },
    result: (value) => terminal.line(visibleJson(value, recorded ? undefined : 2) ?? 'null'),
  }
}
