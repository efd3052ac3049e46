/** A command that is being typed: from the slash at `from` to the caret at `to`, with the letters between them. */
export interface TypedCommand {
  readonly from: number
  readonly to: number
  readonly query: string
}

/** The command before the caret: only at the beginning of a line, and only while it can be one, which a path cannot. */
export function typedCommand(text: string, caret: number): TypedCommand | undefined {
  const from = text.lastIndexOf('\n', caret - 1) + 1
  const typed = text.slice(from, caret)
  const isInWord = /^\S/.test(text.slice(caret))
  return /^\/[a-z0-9-]{0,32}$/i.test(typed) && !isInWord ? { from, to: caret, query: typed.slice(1).toLowerCase() } : undefined
}
