import { hasArabicShapes } from './arabic-forms.js'

/** A run of text on a page, as the library has it. */
export interface TextItem {
  readonly str: string
  /** In which direction it is read: `ltr`, `rtl` or `ttb`. */
  readonly dir: string
  readonly hasEOL: boolean
  /** Where it is: the last two are its horizontal and vertical place. */
  readonly transform: readonly number[]
  readonly height: number
}

interface Line {
  readonly text: string
  readonly bottom: number
  readonly height: number
}

/** A larger gap between two lines than this many times their height separates paragraphs. */
const paragraphGap = 1.7

/** The text of a page: its lines, with an empty one between paragraphs. */
export function pageText(items: readonly TextItem[]): string {
  const lines = linesOf(items)
  let text = ''
  let before: Line | undefined
  for (const line of lines) {
    if (before) {
      const gap = Math.abs(before.bottom - line.bottom)
      const height = Math.max(before.height, line.height)
      text += height > 0 && gap > height * paragraphGap ? '\n\n' : '\n'
    }
    text += line.text
    before = line
  }
  return text.trim()
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: Line[] = []
  let row: TextItem[] = []
  const end = (): void => {
    const [first] = row.filter(isShown)
    if (first) {
      const text = inReadingOrder(row).map(({ str }) => str)
      const height = Math.max(...row.filter(isShown).map((item) => item.height))
      lines.push({ text: text.join('').trimEnd(), bottom: first.transform[5] ?? 0, height })
    }
    row = []
  }
  for (const item of items) {
    row.push(item)
    if (item.hasEOL) end()
  }
  end()
  return lines
}

const isShown = ({ str }: TextItem): boolean => str.trim() !== ''

/**
 * The words of a line that is read from right to left, where a program has drawn them from left to
 * right. Each is in order by itself; the shapes of Arabic letters are turned as a line later.
 */
function inReadingOrder(row: readonly TextItem[]): readonly TextItem[] {
  const words = row.filter(isShown)
  const isFromRight = words.every(({ dir, str }) => dir === 'rtl' && !hasArabicShapes(str))
  const isDrawnFromLeft = words.every((word, index) => index === 0 || placeOf(word) > placeOf(words[index - 1]))
  return isFromRight && isDrawnFromLeft ? [...row].reverse() : row
}

const placeOf = (item: TextItem | undefined): number => item?.transform[4] ?? 0
