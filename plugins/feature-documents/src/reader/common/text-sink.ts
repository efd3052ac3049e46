/** Collects the text of a document up to its limit. */
export interface TextSink {
  /** Whether nothing more fits. Readers stop then. */
  readonly full: boolean
  /** How many more UTF-16 code units fit. */
  readonly room: number
  /** Adds a piece, or the beginning of it. */
  add(text: string): void
  /** The collected text. */
  text(): string
  /** Whether something was left out. */
  readonly cut: boolean
}

export function createTextSink(maxCharacters: number): TextSink {
  const pieces: string[] = []
  let room = maxCharacters
  let cut = false
  return {
    get full() {
      return cut
    },
    get room() {
      return room
    },
    get cut() {
      return cut
    },
    add(text) {
      if (cut || text === '') return
      if (text.length <= room) {
        pieces.push(text)
        room -= text.length
        return
      }
      cut = true
      // Not in the middle of a character.
      pieces.push(text.slice(0, room).replace(/[\ud800-\udbff]$/, ''))
      room = 0
    },
    text: () => pieces.join(''),
  }
}
