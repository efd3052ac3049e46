import type { TextSink } from '../common/text-sink.js'

/** A text as one cell of a table in Markdown. */
export const cellText = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')

/** Writes a table row by row. The first row is its head. */
export interface TableWriter {
  row(cells: readonly string[]): void
  /** Ends the table. */
  end(): void
}

/** `width`: the least number of columns, so that shorter rows are filled up. */
export function createTableWriter(sink: TextSink, { width = 0 }: { readonly width?: number } = {}): TableWriter {
  let columns = 0
  return {
    row(cells) {
      const isHead = columns === 0
      if (isHead) columns = Math.max(1, width, cells.length)
      const filled = [...cells.map(cellText), ...Array.from({ length: Math.max(0, columns - cells.length) }, () => '')]
      sink.add(`| ${filled.join(' | ')} |\n`)
      if (isHead) sink.add(`|${' --- |'.repeat(columns)}\n`)
    },
    end: () => {
      if (columns > 0) sink.add('\n')
      columns = 0
    },
  }
}
