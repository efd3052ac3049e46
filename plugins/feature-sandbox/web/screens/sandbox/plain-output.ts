const escapeCharacter = '\u001b'
/** Sequences that only a terminal draws: colours, movements, titles. */
const sequences = new RegExp(
  `${escapeCharacter}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${escapeCharacter}]*(?:\\u0007|${escapeCharacter}\\\\)|[ -/]*[0-Z\\\\^-~])`,
  'g',
)
/** One that is not whole yet. */
const unfinished = new RegExp(`${escapeCharacter}(?:\\[[0-?]*[ -/]*|\\][^\\u0007${escapeCharacter}]{0,4096}${escapeCharacter}?|[ -/]*)$`)
const maxLines = 5_000

/** Lines of output as plain text; a line that is written over shows what it says last. */
export interface PlainOutput {
  add(text: string): void
  lines(): readonly string[]
  /** Whether earlier lines were dropped. */
  cut(): boolean
}

export function createPlainOutput(): PlainOutput {
  let lines: string[] = ['']
  let rest = ''
  let isCut = false
  return {
    add(text) {
      const whole = rest + text
      // A return at the end may belong to the line feed that comes next.
      rest = unfinished.exec(whole)?.[0] ?? (whole.endsWith('\r') ? '\r' : '')
      const shown = whole
        .slice(0, whole.length - rest.length)
        .replace(sequences, '')
        .replaceAll('\r\n', '\n')
      const [first = '', ...more] = shown.split('\n')
      lines[lines.length - 1] = overwritten((lines.at(-1) ?? '') + first)
      for (const line of more) lines.push(overwritten(line))
      if (lines.length <= maxLines) return
      lines = lines.slice(-maxLines)
      isCut = true
    },
    lines: () => (lines.at(-1) === '' ? lines.slice(0, -1) : [...lines]),
    cut: () => isCut,
  }
}

const overwritten = (line: string): string => line.slice(line.lastIndexOf('\r') + 1)
