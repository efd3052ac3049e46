/** A command that is being typed: the slash at `from`, what follows it up to the caret at `to`. */
export interface SlashPlace {
  readonly from: number
  readonly to: number
  readonly query: string
}

/** The command before the caret: only at the beginning of a line, and only while it can be one, so that paths are none. */
export function slashPlace(text: string, caret: number): SlashPlace | undefined {
  const from = text.lastIndexOf('\n', caret - 1) + 1
  const typed = text.slice(from, caret)
  const isInWord = /^\S/.test(text.slice(caret))
  return /^\/[a-z0-9-]{0,32}$/i.test(typed) && !isInWord ? { from, to: caret, query: typed.slice(1).toLowerCase() } : undefined
}
