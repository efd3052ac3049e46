/** What begins a block, without a letter of what will be in it. */
const unclear = /^(?:[-+*][ \t]*|\d{1,9}[.)][ \t]*|\d{1,2}|#{1,6}[ \t]*|(?:[-=_*][ \t]*)+|`{3,}[^`]*|`{1,2}|~{3,}.*|~{1,2}|\|[ \t]*|\\)?$/
const task = /^\[[ xX]?\]?[ \t]*$/

/** Lines without a last one that may become an item, a heading, a line, code or a row. */
export function withoutUnclearLine(lines: readonly string[], container: RegExp): readonly string[] {
  const last = lines.at(-1) ?? ''
  const [prefix = ''] = container.exec(last) ?? []
  const text = last.slice(prefix.length)
  if (last === '' || !(unclear.test(text) || (/[-+*.)][ \t]+$/.test(prefix) && task.test(text)))) return lines
  return lines.slice(0, -1)
}

export const isTableRow = (text: string): boolean => text.startsWith('|') && !text.includes('\n')

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
const delimiters = (count: number, known: readonly string[] = []): string =>
  `|${Array.from({ length: count }, (_, at) => (/^ *:?-+:? *$/.test(known[at] ?? '') ? known[at] : '---')).join('|')}|`

/**
 * A row that is not finished, as one of a table: a head is followed by the line that makes it one, and
 * that line has as many parts as the head.
 */
export function withTable(before: readonly string[], prefix: string, row: string, withEnds: (cell: string) => string): string {
  const above = before.at(-1)?.trim() ?? ''
  const isSecond = above.startsWith('|') && !(before.at(-2) ?? '').trim().startsWith('|')
  if (isSecond && /^[ \t:|-]*$/.test(row))
    return prefix + delimiters(cellsOf(above).length, cellsOf(row).slice(0, row.endsWith('|') ? undefined : -1))
  const end = row.trimEnd().endsWith('|') ? row : closedRow(row, withEnds)
  if (above.startsWith('|')) return prefix + end
  return `${prefix}${end}\n${prefix.replace(/[^ \t>]/g, ' ')}${delimiters(cellsOf(end).length)}`
}

/** With the marks in its last cell closed within it. */
function closedRow(row: string, withEnds: (cell: string) => string): string {
  const at = /(?:^|[^\\])\|(?:\\\||[^|])*$/.exec(row)?.index ?? 0
  const from = row.indexOf('|', at) + 1
  const cell = withEnds(row.slice(from).trimStart())
  return cell === '' && from > 1 ? row.slice(0, from) : `${row.slice(0, from)} ${cell} |`
}
