import { isObject, parseJson } from '../common/json.js'

/** Joins the pieces in which the arguments of one call come. */
export interface ArgumentsJoiner {
  /** Adds a piece; returns what it adds to the arguments. */
  add(piece: string): string
  /** The call is over: what was held back because other arguments could have followed. */
  end(): string
  /** The arguments so far. */
  readonly text: string
  /** The arguments so far are an object with members. */
  readonly isComplete: boolean
}

/** What several gateways send before the arguments: none yet. */
const placeholder = /^\s*(\{\s*\}|null|"")\s*$/
const beginsPlaceholder = (text: string): boolean => ['{}', 'null', '""'].some((value) => value.startsWith(text.replaceAll(/\s/g, '')))
const leadingPlaceholder = /^\s*(\{\s*\}|null|"")\s*(?=\{)/

/**
 * Makes a joiner without pieces. Gateways put `{}`, `null` or `""` before the real arguments, and
 * repeat the whole arguments at the end; neither belongs to them. Anything else is kept as it came,
 * so that arguments about which there is a doubt are reported as invalid.
 */
export function createArgumentsJoiner(): ArgumentsJoiner {
  const scan = createObjectScan()
  let text = ''
  /** An empty value before anything else, or its beginning; it is the arguments only if nothing follows. */
  let early = ''
  /** What may be a repetition of the whole. */
  let again = ''
  /** The arguments without blanks around them, once they are complete. */
  let whole: string | undefined

  const keep = (piece: string): string => {
    text += piece
    whole = undefined
    scan.add(piece)
    return piece
  }
  const addAfterEnd = (piece: string): string => {
    if (again === '' && piece.trim() === '') return ''
    whole ??= text.trim()
    // Only the new piece is compared: what came before it is known to be the beginning.
    const goesOn = whole.startsWith(again === '' ? piece.trimStart() : piece, again.length)
    again += again === '' ? piece.trimStart() : piece
    if (goesOn && again.length < whole.length) return ''
    if (placeholder.test(again) || again.trim() === whole) {
      again = ''
      return ''
    }
    if (whole.startsWith(again.trim())) return ''
    if (isSame(again, text)) {
      again = ''
      return ''
    }
    const all = again
    again = ''
    return keep(all)
  }

  return {
    add(piece) {
      if (piece === '') return ''
      if (scan.isComplete) return addAfterEnd(piece)
      if (text !== '') return keep(piece)
      if (piece.trim() === '') return ''
      const begun = placeholder.test(early) ? piece : early + piece
      if (beginsPlaceholder(begun)) {
        early = begun
        return ''
      }
      early = ''
      return keepWhole(begun.replace(leadingPlaceholder, ''))
    },
    end() {
      const rest = early.trim()
      early = ''
      if (text !== '' || rest === '' || rest === 'null' || rest === '""') return ''
      return keep(rest.replaceAll(/\s/g, ''))
    },
    get text() {
      return text
    },
    get isComplete() {
      return scan.isComplete
    },
  }

  /** One piece may hold the arguments and their repetition. */
  function keepWhole(piece: string): string {
    const half = piece.length % 2 === 0 ? piece.slice(0, piece.length / 2) : ''
    return keep(half !== '' && half + half === piece && isObject(parseJson(half)) ? half : piece)
  }
}

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [parseJson(one), parseJson(other)]
  return isObject(first) && isObject(second) && JSON.stringify(first) === JSON.stringify(second)
}

/** Follows an object of JSON piece by piece, without reading any of it twice. */
function createObjectScan(): { add(piece: string): void; readonly isComplete: boolean } {
  let depth = 0
  let isInText = false
  let isEscaped = false
  let isComplete = false
  return {
    add(piece) {
      for (let at = 0; at < piece.length; at += 1) {
        const character = piece[at]
        if (isEscaped) isEscaped = false
        else if (isInText) {
          if (character === '\\') isEscaped = true
          else if (character === '"') isInText = false
        } else if (character === '"') isInText = true
        else if (character === '{' || character === '[') depth += 1
        else if (character === '}' || character === ']') {
          depth -= 1
          isComplete = depth === 0
        }
      }
    },
    get isComplete() {
      return isComplete && depth === 0
    },
  }
}
