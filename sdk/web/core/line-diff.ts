/** A line of a comparison. */
export interface DiffLine {
  /** `place`: no line of a text, but where the next ones stand, as `@@ -1,4 +1,5 @@`. */
  readonly kind: 'same' | 'added' | 'removed' | 'place'
  /** Without a mark before it and a line feed behind it. */
  readonly text: string
}

/** Beyond this many lines each, the texts are shown one after the other. */
const maxLines = 600

/** The lines of two texts, with what was removed before what was added; unchanged lines are left out far from changes. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)]
  if (old.length > maxLines || next.length > maxLines)
    return [...old.map((text) => ({ kind: 'removed' as const, text })), ...next.map((text) => ({ kind: 'added' as const, text }))]
  return nearChanges(compare(old, next))
}

/** The lines of a unified diff without file names. */
export const patchLines = (patch: string): readonly DiffLine[] =>
  linesOf(patch.replace(/\n$/, ''))
    .filter((line) => !line.startsWith('\\'))
    .map((line) => {
      if (line.startsWith('@@')) return { kind: 'place', text: line }
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
      return { kind, text: line.slice(1) }
    })

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))

function compare(old: readonly string[], next: readonly string[]): readonly DiffLine[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1))
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = next.length - 1; column >= 0; column -= 1) {
      const line = lengths[row]
      if (line)
        line[column] =
          old[row] === next[column] ? lengthAt(row + 1, column + 1) + 1 : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < next.length) {
    const [from, to] = [old[row], next[column]]
    if (from !== undefined && from === to) {
      lines.push({ kind: 'same', text: from })
      row += 1
      column += 1
    } else if (from !== undefined && (to === undefined || lengthAt(row + 1, column) >= lengthAt(row, column + 1))) {
      lines.push({ kind: 'removed', text: from })
      row += 1
    } else {
      lines.push({ kind: 'added', text: to ?? '' })
      column += 1
    }
  }
  return lines
}

/** Keeps three unchanged lines around each change. */
const nearChanges = (lines: readonly DiffLine[]): readonly DiffLine[] =>
  lines.filter((line, index) => line.kind !== 'same' || lines.slice(Math.max(0, index - 3), index + 4).some(({ kind }) => kind !== 'same'))
