/** The number of characters that are kept. */
const keptCharacters = 4_000

/** Collects the text of a stream that belongs to no document. */
export interface StrayText {
  /** Adds a line. */
  add(line: string): void
  /** The lines so far, cut. */
  readonly text: string
}

/** Makes an empty collection. */
export function createStrayText(): StrayText {
  let text = ''
  return {
    add(line) {
      if (text.length >= keptCharacters || line.trim() === '') return
      text = (text === '' ? line : `${text}\n${line}`).slice(0, keptCharacters)
    },
    get text() {
      return text
    },
  }
}
