/** A run of text on a page, as the library has it. */
export interface TextItem {
  readonly str: string
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
  let text = ''
  let bottom = 0
  let height = 0
  const end = (): void => {
    if (text.trim() !== '') lines.push({ text: text.trimEnd(), bottom, height })
    text = ''
    height = 0
  }
  for (const item of items) {
    if (item.str.trim() !== '') {
      if (text.trim() === '') bottom = item.transform[5] ?? 0
      height = Math.max(height, item.height)
    }
    text += item.str
    if (item.hasEOL) end()
  }
  end()
  return lines
}
