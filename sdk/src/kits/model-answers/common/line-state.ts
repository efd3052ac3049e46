/** Where a text that grows is now: in code, at the beginning of a line, after a colon. */
export interface LineState {
  add(text: string): void
  /** Between two fences of Markdown, or inside backticks of the line. */
  readonly inCode: boolean
  /** No character of the line has come. */
  readonly atStart: boolean
  /** The last line with words ends with a colon: what follows is shown rather than said. */
  readonly introduces: boolean
}

const fence = /^ {0,3}(`{3,}|~{3,})/

/** Of the line, this much decides whether it is a fence. */
const headLength = 80

export function createLineState(): LineState {
  let fenced: string | undefined
  let head = ''
  let last = ''
  let ticks = 0
  let started = false
  let introduces = false

  const endLine = (): void => {
    const mark = fence.exec(head)?.[1]
    if (mark !== undefined && fenced === undefined) fenced = mark
    else if (mark !== undefined && fenced !== undefined && mark.startsWith(fenced)) fenced = undefined
    if (last !== '') introduces = last === ':'
    head = ''
    last = ''
    ticks = 0
    started = false
  }
  const addToLine = (piece: string): void => {
    if (piece === '') return
    started = true
    if (head.length < headLength) head += piece.slice(0, headLength - head.length)
    last = piece.trimEnd().at(-1) ?? last
    for (const character of piece) if (character === '`') ticks += 1
  }

  return {
    add(text) {
      const [first = '', ...rest] = text.split('\n')
      addToLine(first)
      for (const line of rest) {
        endLine()
        addToLine(line)
      }
    },
    get inCode() {
      return fenced !== undefined || ticks % 2 === 1 || fence.test(head)
    },
    get atStart() {
      return !started
    },
    get introduces() {
      return introduces
    },
  }
}
