import { displayWidth, fitToWidth } from './display-width.js'
import { visibleLine } from './visible-text.js'

const gap = '  '
/** A column is not made narrower than this. */
const minWidth = 8

/** How a table is laid out. */
export interface TableOptions {
  /** The cells of a line. Default: unlimited. */
  readonly columns?: number | undefined
  /** Titles of columns that are never shortened: what is copied, such as an id. Default: none. */
  readonly whole?: readonly string[]
}

/**
 * Lines of a table, the first row with the titles: columns as wide as their widest cell, two spaces
 * apart. Cells are made visible as one line each. With `columns`, the widest columns are shortened
 * until a row fits; if it cannot, each cell has its own line.
 */
export function tableLines(rows: readonly (readonly string[])[], { columns, whole = [] }: TableOptions = {}): readonly string[] {
  const cells = rows.map((row) => row.map(visibleLine))
  const widths: number[] = []
  for (const row of cells) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
  const isWhole = (rows[0] ?? []).map((title) => whole.includes(title))
  if (columns !== undefined && narrowest(widths, isWhole) > columns) return recordLines(cells)
  const fitted = columns === undefined ? widths : fitWidths(widths, isWhole, columns)
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const width = fitted[column] ?? 0
        const shown = columns === undefined ? cell : fitToWidth(cell, width)
        return column === row.length - 1 ? shown : shown + ' '.repeat(Math.max(0, width - displayWidth(shown)))
      })
      .join(gap)
      .trimEnd(),
  )
}

/** The width of a row with every column as narrow as it may be. */
const narrowest = (widths: readonly number[], isWhole: readonly boolean[]): number =>
  sum(widths.map((width, column) => (isWhole[column] === true ? width : Math.min(width, minWidth)))) + gap.length * (widths.length - 1)

/** For a terminal that is too narrow for a row: each cell on its own line, behind its title. */
function recordLines([titles = [], ...rows]: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(0, ...titles.map(displayWidth))
  const titled = (cell: string, column: number): string => {
    const title = titles[column] ?? ''
    return `${title}${' '.repeat(Math.max(0, width - displayWidth(title)))}${gap}${cell}`.trimEnd()
  }
  return rows.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...row.map(titled)])
}

/** Takes from the widest column first, down to {@link minWidth} each. */
function fitWidths(widths: readonly number[], isWhole: readonly boolean[], columns: number): readonly number[] {
  const fitted = [...widths]
  const mayShrink = (column: number): boolean => isWhole[column] !== true
  let excess = sum(fitted) + gap.length * (fitted.length - 1) - columns
  while (excess > 0) {
    const widest = Math.max(0, ...fitted.filter((_, column) => mayShrink(column)))
    if (widest <= minWidth) break
    const next = Math.max(minWidth, ...fitted.filter((width, column) => width < widest && mayShrink(column)))
    const at = fitted.flatMap((width, column) => (width === widest && mayShrink(column) ? [column] : []))
    const each = Math.min(widest - next, Math.ceil(excess / at.length))
    for (const column of at) {
      const less = Math.min(each, excess)
      fitted[column] = widest - less
      excess -= less
    }
  }
  return fitted
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
