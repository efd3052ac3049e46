/** A row of a table of fields in the specification. Cells as they are written. */
export interface TableRow {
  readonly section: string
  readonly field: string
  readonly type: string
  readonly default: string
}

/**
 * The rows of every table whose first column is `Field` with types and defaults. A table without
 * those columns has texts.
 */
export function fieldRowsIn(markdown: string): readonly TableRow[] {
  return tablesIn(markdown).flatMap(({ heading, header, rows }) => {
    const section = heading.split(' ')[0] ?? ''
    if (header[0] !== 'Field') return []
    const [type, value] = [header.indexOf('Type'), header.indexOf('Default')]
    return rows.map((cells) => ({
      section,
      field: cells[0] ?? '',
      type: type < 0 ? 'string' : (cells[type] ?? ''),
      default: value < 0 ? (/default `([^`]*)`/.exec(cells.at(-1) ?? '')?.[1] ?? '--') : (cells[value] ?? ''),
    }))
  })
}

/**
 * The names in the table of settings by protocol family: `adapter_beta` and so on, each with its
 * type where the table says one.
 */
export function typedPropertiesIn(markdown: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const table = tablesIn(markdown).find(({ header }) => header[0] === 'Family')
  if (!table) throw new Error('There is no table of families.')
  return new Map(
    table.rows.flatMap(([family = '', properties = '']): [string, ReadonlyMap<string, string>][] => {
      const adapter = /`(adapter_[a-z]+)`/.exec(family)?.[1]
      return adapter === undefined || properties.startsWith('no additional') ? [] : [[adapter, propertiesIn(properties)]]
    }),
  )
}

/**
 * Reads "`a`, `b` floats; `c` integer (both; mapped to `d`)": a type holds for the names before it.
 */
function propertiesIn(cell: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let waiting: string[] = []
  const text = cell
    .replace(/^.*\bplus\b/, '')
    .replace(/\((string|integer|float|boolean|list of strings)\b[^)]*\)/g, '$1')
    .replace(/\([^)]*\)/g, '')
  for (const [, name, type] of text.matchAll(/`([a-z_.]+)`|\b(strings?|integers?|floats?|booleans?|list of strings)\b/g)) {
    if (name !== undefined) waiting.push(name)
    else {
      for (const each of waiting) found.set(each, type === 'list of strings' ? type : (type ?? '').replace(/s$/, ''))
      waiting = []
    }
  }
  for (const each of waiting) found.set(each, '')
  return found
}

interface Table {
  /** The heading above it. */
  readonly heading: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function tablesIn(markdown: string): readonly Table[] {
  const tables: { heading: string; header: readonly string[]; rows: (readonly string[])[] }[] = []
  let heading = ''
  let isInside = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ */, '')
    if (!line.startsWith('|')) {
      isInside = false
      continue
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (!isInside) tables.push({ heading, header: cells, rows: [] })
    else if (!cells.every((cell) => /^-+$/.test(cell))) tables.at(-1)?.rows.push(cells)
    isInside = true
  }
  return tables
}
