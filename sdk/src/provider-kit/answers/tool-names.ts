import { createHash } from 'node:crypto'

/** The tool names that a vendor accepts. */
export interface ToolNameRule {
  /** Every character that it refuses; with the flag `g`. */
  readonly refused: RegExp
  /** In UTF-16 code units, at least 16. */
  readonly maxLength: number
  /** A pattern for the beginning of a name. Default: any. */
  readonly start?: RegExp
}

/** Names of tools on their way to a vendor and back. */
export interface ToolNames {
  /**
   * The name that the vendor gets. The same name has the same one in every request, whatever else
   * is offered.
   */
  wire(name: string): string
  /** The tool of a vendor's name; an unknown name stays unchanged. */
  own(wireName: string): string
}

/**
 * Converts names for a vendor: accepted ones stay, others are converted and get a unique suffix, so
 * that no two become one.
 */
export function createToolNames(names: Iterable<string>, rule: ToolNameRule): ToolNames {
  const owners = new Map<string, string>()
  for (const name of names) owners.set(wireNameOf(name, rule), name)
  return { wire: (name) => wireNameOf(name, rule), own: (wireName) => owners.get(wireName) ?? wireName }
}

function wireNameOf(name: string, { refused, maxLength, start }: ToolNameRule): string {
  const begins = start === undefined || start.test(name)
  const mended = `${begins ? '' : 'tool_'}${name.replace(refused, '_')}`
  if (mended === name && name !== '' && name.length <= maxLength) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${mended.slice(0, maxLength - mark.length - 1)}_${mark}`
}
