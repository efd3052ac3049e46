/** The middle of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** A number for people: three significant digits, thousands with a separator. */
export function readable(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

/**
 * One line of the result: what was measured here, what beside it in the same run, and the ratio
 * that was aimed for.
 */
export interface Figure {
  readonly what: string
  readonly ours: number
  readonly unit: string
  readonly baseline?: { readonly name: string; readonly value: number }
  /** What was aimed for, in words, and whether it was met. */
  readonly aim?: { readonly text: string; readonly met: boolean }
}

/** Prints the figures of one part. */
export function printFigures(title: string, figures: readonly Figure[], print: (line: string) => void): void {
  print('')
  print(title)
  for (const { what, ours, unit, baseline, aim } of figures) {
    const beside = baseline ? `   ${baseline.name}: ${readable(baseline.value)} ${unit}   ratio ${readable(ours / baseline.value)}` : ''
    const aimed = aim ? `   ${aim.met ? 'met' : 'NOT MET'}: ${aim.text}` : ''
    print(`  ${what.padEnd(44)} ${readable(ours)} ${unit}${beside}${aimed}`)
  }
}
