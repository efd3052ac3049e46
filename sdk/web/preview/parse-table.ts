/** A table of a text, as far as it is kept. */
export interface Table {
  /** The names of the columns; `undefined` if the first row is one of the others. */
  readonly header: readonly string[] | undefined
  readonly rows: readonly (readonly string[])[]
  /** The columns of the widest row, also those that were not kept. */
  readonly columnCount: number
  /** Whether there were more rows than are kept. */
  readonly isCut: boolean
  /** By column: whether it holds numbers. */
  readonly numeric: readonly boolean[]
}

export const maxColumns = 50
const maxRows = 50_000
const maxCell = 1_000
const delimiters = [',', ';', '\t', '|'] as const

/** Reads delimited text (RFC 4180, and what programs make of it). Whatever it is, the table stays within bounds. */
export function parseTable(source: string, name: string): Table {
  const { text, delimiter } = delimiterOf(source.replace(/^\uFEFF/, ''), name)
  const { rows: all, columnCount, isCut } = readRows(text, delimiter)
  const isHeader = all.length > 1 && (all[0] ?? []).every((cell) => cell.trim() !== '' && !isNumber(cell))
  const rows = isHeader ? all.slice(1) : all
  const width = Math.min(columnCount, maxColumns)
  return {
    header: isHeader ? all[0] : undefined,
    rows,
    columnCount,
    isCut,
    numeric: Array.from({ length: width }, (_, column) => isNumeric(rows.slice(0, 200).map((row) => row[column] ?? ''))),
  }
}

/** As the file says it (`sep=;`), by its name, or what stands most often in its first lines. */
function delimiterOf(text: string, name: string): { readonly text: string; readonly delimiter: string } {
  const [line, said] = /^sep=(.)\r?\n/.exec(text) ?? []
  if (line !== undefined && said !== undefined) return { text: text.slice(line.length), delimiter: said }
  if (/\.(tsv|tab)$/i.test(name)) return { text, delimiter: '\t' }
  const sample = text
    .slice(0, 10_000)
    .replaceAll(/"[^"]*"/g, '')
    .split('\n')
    .slice(0, 10)
  const countOf = (delimiter: string): number => sample.reduce((sum, each) => sum + each.split(delimiter).length - 1, 0)
  const best = delimiters.reduce((found, each) => (countOf(each) > countOf(found) ? each : found))
  return { text, delimiter: best }
}

function readRows(text: string, delimiter: string): Pick<Table, 'columnCount' | 'isCut'> & { readonly rows: string[][] } {
  const rows: string[][] = []
  let row: string[] = []
  let columns = 0
  let columnCount = 0
  let at = 0
  const endCell = (value: string): void => {
    if (row.length < maxColumns) row.push(value.length > maxCell ? `${value.slice(0, maxCell)}…` : value)
    columns += 1
  }
  const endRow = (): void => {
    // A line without anything in it is none.
    if (columns > 1 || row[0] !== '') rows.push(row)
    columnCount = Math.max(columnCount, columns)
    row = []
    columns = 0
  }
  while (at < text.length && rows.length < maxRows) {
    const cell = text[at] === '"' ? quotedAt(text, at, delimiter) : plainAt(text, at, delimiter)
    endCell(cell.value)
    at = cell.end
    if (text[at] === delimiter) {
      at += 1
      if (at === text.length) endCell('')
    } else {
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1
      at += 1
      endRow()
    }
  }
  if (columns > 0) endRow()
  return { rows, columnCount, isCut: at < text.length }
}

interface Cell {
  readonly value: string
  /** Where what ends it stands. */
  readonly end: number
}

function plainAt(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}

/** Two quotes in it are one. One that is never closed reaches to the end of the text; what stands behind one that is closed belongs to it. */
function quotedAt(text: string, start: number, delimiter: string): Cell {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end < 0) return { value: unquoted(text.slice(start + 1)), end: text.length }
  const rest = plainAt(text, end + 1, delimiter)
  return { value: unquoted(text.slice(start + 1, end)) + rest.value, end: rest.end }
}

const unquoted = (text: string): string => text.replaceAll('""', '"')

const isNumber = (cell: string): boolean => /^[-+]?(?:\d[\d.,'’\u00a0\u202f ]*)?\d(?:[eE][-+]?\d+)?\s?[%€$£]?$/.test(cell.trim())

function isNumeric(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  return filled.length > 0 && filled.every(isNumber)
}
