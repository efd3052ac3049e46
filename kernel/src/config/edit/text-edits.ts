/** A piece of a text that is replaced by another one. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that are apart. What goes to one place goes there in the order of the edits. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let done = 0
  for (const edit of inOrder(edits)) {
    result += text.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return result + text.slice(done)
}

/** True when no edit reaches into another one. */
export function areApart(edits: readonly TextEdit[]): boolean {
  const sorted = inOrder(edits)
  return sorted.every(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0))
}

const inOrder = (edits: readonly TextEdit[]): readonly TextEdit[] =>
  [...edits].sort((one, other) => one.start - other.start || one.end - other.end)

/** Where the line of an offset begins. */
export const lineStart = (text: string, offset: number): number => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1)

/** Where the line after that of an offset begins; the end of the text for the last one. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}

/** The offset behind the last line of something that ends at `end`, with its line ending; `end` itself where that is already a line's beginning. */
export const behindLine = (text: string, end: number): number => (end > 0 && text[end - 1] === '\n' ? end : nextLine(text, end))

/** The line ending in use at an offset: that of its line, else the first of the text. */
export function lineEnding(text: string, offset: number): '\n' | '\r\n' {
  const own = text.indexOf('\n', offset)
  const end = own < 0 ? text.indexOf('\n') : own
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n'
}

/** Puts lines before the line that begins at `offset`; behind the last line also where that has no ending. */
export function insertLines(text: string, offset: number, lines: readonly string[]): TextEdit {
  const atLine = offset === 0 || text[offset - 1] === '\n'
  const ending = lineEnding(text, Math.max(0, offset - 1))
  const joined = lines.join(ending)
  return { start: offset, end: offset, text: atLine ? `${joined}${ending}` : `${ending}${joined}` }
}
