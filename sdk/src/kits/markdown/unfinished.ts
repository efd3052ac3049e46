import type { MarkdownOptions } from './options.js'
import { isTableRow, withoutUnclearLine, withTable } from './unfinished-lines.js'
import { withoutUnfinishedMarks } from './unfinished-marks.js'

/** How a line within quotations and items begins. */
const container = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/
const beginsLeaf = /^[ \t>]*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/
const isBlank = (line: string): boolean => /^[ \t>]*$/.test(line)
/** HTML that is shown as text, with all marks in it. */
const htmlBlock = /^ {0,3}<(?!\/?(?:b|code|del|em|i|ins|kbd|mark|s|small|strong|sub|sup|u|br)\b|https?:|mailto:)[a-z/!?]/i

/**
 * A piece of a text that grows, so that its end looks as it will: marks that are not closed yet are
 * closed, and what may become a mark is left out until that is clear.
 */
export function withEnds(piece: string, { maths = false }: MarkdownOptions): string {
  const written = piece.split('\n')
  const fence = openFence(written)
  if (fence !== undefined) return withoutEnding(written, fence).join('\n')
  const lines = withoutUnclearLine(
    written.at(-1) === '' && isTableRow((written.at(-2) ?? '').replace(container, '')) ? written.slice(0, -1) : written,
    container,
  )
  const start = leafStart(lines)
  const leaf = lines.slice(start).join('\n')
  const before = lines.slice(0, start).map((line) => `${line}\n`)
  const [prefix = ''] = container.exec(leaf) ?? []
  const text = leaf.slice(prefix.length)
  if (text === '' || htmlBlock.test(text) || (/^(?: {4}|\t)/.test(prefix) && !written.some((line) => beginsLeaf.test(line))))
    return before.join('') + leaf
  if (isTableRow(text)) return before.join('') + withTable(before, prefix, text, (cell) => withoutUnfinishedMarks(cell, maths))
  return before.join('') + prefix + withoutUnfinishedMarks(text, maths)
}

/** The mark of fenced code that has not ended, wherever it stands. */
function openFence(lines: readonly string[]): string | undefined {
  let open: string | undefined
  for (const line of lines.slice(0, -1)) {
    const text = line.replace(container, '')
    if (open === undefined) open = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0]
    else if (text.startsWith(open) && /^[`~]+[ \t]*$/.test(text)) open = undefined
  }
  return open
}

/** Code without the line that may become its end. */
function withoutEnding(lines: readonly string[], fence: string): readonly string[] {
  const last = (lines.at(-1) ?? '').replace(/^[ \t>]*/, '').trimEnd()
  return last === '' || fence.startsWith(last) ? lines.slice(0, -1) : lines
}

/** The first line of the paragraph, heading or row with which a text ends. */
function leafStart(lines: readonly string[]): number {
  let at = lines.length - 1
  if (isBlank(lines[at] ?? '') && at > 0 && !/^[ \t>]*(?:#|\|)/.test(lines[at - 1] ?? '')) at -= 1
  if (isBlank(lines[at] ?? '') || isTableRow((lines[at] ?? '').replace(container, ''))) return at
  while (at > 0 && !beginsLeaf.test(lines[at] ?? '') && !isBlank(lines[at - 1] ?? '') && !/^[ \t>]*#/.test(lines[at - 1] ?? '')) at -= 1
  return at
}
