/** Takes reasoning out of a text in which a model wrote it between tags. */
export interface ThinkingSplitter {
  /** What is known now of a further piece, cut anywhere. */
  add(piece: string): SplitText
  /** What was held back because a tag could have begun there. */
  end(): SplitText
}

/** The result of a piece. */
export interface SplitText {
  readonly reasoning: string
  readonly text: string
}

const opening = '<think>'
const closing = '</think>'

/**
 * Splits `<think>…</think>` off the beginning of a text. Tags further inside are text: a model may
 * write about them. Blanks after a tag are dropped. Reasoning without a closing tag extends to the
 * end.
 */
export function createThinkingSplitter(): ThinkingSplitter {
  let state: 'start' | 'thinking' | 'text' = 'start'
  let held = ''
  /** Blanks are dropped until something else comes. */
  let afterTag = false

  const trimmed = (piece: string): string => {
    if (!afterTag) return piece
    const rest = piece.trimStart()
    if (rest !== '') afterTag = false
    return rest
  }
  const start = (): SplitText => {
    const begin = held.trimStart()
    if (begin.length < opening.length && opening.startsWith(begin)) return { reasoning: '', text: '' }
    if (begin.startsWith(opening)) {
      state = 'thinking'
      afterTag = true
      held = begin.slice(opening.length)
      return thinking()
    }
    state = 'text'
    return { reasoning: '', text: take() }
  }
  const thinking = (): SplitText => {
    const close = held.indexOf(closing)
    if (close < 0) {
      const kept = beginningOf(closing, held)
      const reasoning = trimmed(held.slice(0, held.length - kept))
      held = held.slice(held.length - kept)
      return { reasoning, text: '' }
    }
    const reasoning = trimmed(held.slice(0, close))
    held = held.slice(close + closing.length)
    state = 'text'
    afterTag = true
    return { reasoning, text: trimmed(take()) }
  }
  const take = (): string => {
    const all = held
    held = ''
    return all
  }

  return {
    add(piece) {
      if (state === 'text') return { reasoning: '', text: trimmed(piece) }
      held += piece
      return state === 'start' ? start() : thinking()
    },
    end() {
      const rest = take()
      return state === 'thinking' ? { reasoning: trimmed(rest), text: '' } : { reasoning: '', text: rest }
    },
  }
}

/** How many characters at the end of a text could be the beginning of a tag. */
function beginningOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) if (text.endsWith(tag.slice(0, length))) return length
  return 0
}
