/** A plugin in a loop has more faults than anyone reads, and each is in the list of plugins. */
export const maxFaultLines = 100

/** The first lines, and how many there are beyond them. */
export const boundedLines = (lines: readonly string[]): readonly string[] =>
  lines.length <= maxFaultLines ? lines : [...lines.slice(0, maxFaultLines), `and ${lines.length - maxFaultLines} more`]
