/** How many characters of a text are formatted at once: more of them would keep the page from answering. */
export const maxFormatted = 100_000

/** Where the Markdown source of a text that grows can be cut. */
export interface Blocks {
  /** Finished blocks; later text does not change them. */
  readonly done: readonly string[]
  /** Where the unfinished rest begins. */
  readonly end: number
}

export const noBlocks: Blocks = { done: [], end: 0 }

/**
 * Continues after the blocks that are known. A block ends at an empty line outside of fenced code;
 * lines that are indented belong to the block before them. No block begins after `maxEnd`.
 */
export function splitBlocks(text: string, known: Blocks, maxEnd: number): Blocks {
  const done = [...known.done]
  let start = known.end
  let fence: string | undefined
  for (let at = start; start < maxEnd; ) {
    const lineEnd = text.indexOf('\n', at)
    if (lineEnd < 0) break
    const line = text.slice(at, lineEnd)
    at = lineEnd + 1
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      continue
    }
    if (mark !== undefined) fence = mark
    else if (line.trim() === '') {
      const next = text.charAt(at)
      if (next === '') break
      if (next === ' ' || next === '\t' || next === '\n') continue
      const block = text.slice(start, at)
      if (block.trim() !== '') done.push(block)
      start = at
    }
  }
  return done.length === known.done.length ? known : { done, end: start }
}
