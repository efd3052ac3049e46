import { createHash } from 'node:crypto'

/** What a vendor takes as the name of a tool. */
export interface ToolNameRule {
  /** Every character that it refuses; with the flag `g`. */
  readonly refused: RegExp
  /** In UTF-16 code units, at least 16. */
  readonly maxLength: number
  /** How a name must begin. Default: anyhow. */
  readonly start?: RegExp
}

/** Names of tools on their way to a vendor and back. */
export interface ToolNames {
  /**
   * The name that the vendor gets. The same name has the same one in every request, whatever else
   * is offered.
   */
  wire(name: string): string
  /** The tool that the vendor means; what it made up stays as it is. */
  own(wireName: string): string
}

/** Makes names fit a vendor: those that it takes stay as they are, others are mended and get a mark of their own, so that no two become one. */
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
