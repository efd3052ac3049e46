/** The grammar of a JSON number and literal, each matched at a position. */
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literalToken = /true|false|null/y
const whitespace = /[ \t\n\r]*/y

/**
 * Where and why a text that `JSON.parse` refused is not JSON, in words for the person who wrote it:
 * `expected “,” or “]” at line 3, column 7 (position 41)`. The text itself is not repeated.
 */
export function findJsonMistake(text: string): string {
  const mistake = scan(text)
  if (!mistake) return 'it cannot be parsed'
  const before = text.slice(0, mistake.position)
  const line = before.split('\n').length
  const column = mistake.position - before.lastIndexOf('\n')
  const found = mistake.position >= text.length ? 'the text ends' : `expected ${mistake.expected}`
  const rest = mistake.position >= text.length ? `, expected ${mistake.expected}` : ''
  return `${found} at line ${line}, column ${column} (position ${mistake.position})${rest}`
}

interface Mistake {
  readonly position: number
  readonly expected: string
}

type Expectation = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'separator'

const words: Readonly<Record<Expectation, string>> = {
  value: 'a value',
  'value or ]': 'a value or “]”',
  name: 'a member name in double quotes',
  'name or }': 'a member name in double quotes or “}”',
  colon: '“:”',
  separator: '“,” or the end of the list or object',
}

/** Walks the text with an explicit stack of open brackets, so that depth costs no call stack. */
function scan(text: string): Mistake | undefined {
  const open: ('[' | '{')[] = []
  let position = 0
  let expected: Expectation = 'value'
  const take = (token: RegExp): boolean => {
    token.lastIndex = position
    if (!token.test(text)) return false
    position = token.lastIndex
    return true
  }
  const takeString = (): boolean => {
    const end = endOfString(text, position)
    if (end === undefined) return false
    position = end
    return true
  }
  for (;;) {
    take(whitespace)
    if (expected === 'separator' && open.length === 0) {
      return position < text.length ? { position, expected: 'nothing after the value' } : undefined
    }
    const character = text[position]
    const mistake = { position, expected: words[expected] }
    if (character === undefined) return mistake
    if (expected === 'separator') {
      const inList = open.at(-1) === '['
      if (character === ',') expected = inList ? 'value' : 'name'
      else if (character === (inList ? ']' : '}')) open.pop()
      else return { position, expected: inList ? '“,” or “]”' : '“,” or “}”' }
      position++
    } else if (expected === 'colon') {
      if (character !== ':') return mistake
      position++
      expected = 'value'
    } else if (expected === 'name' || expected === 'name or }') {
      if (character === '}' && expected === 'name or }') {
        open.pop()
        position++
        expected = 'separator'
      } else if (character !== '"') {
        return mistake
      } else if (takeString()) {
        expected = 'colon'
      } else {
        return { position, expected: 'a complete string with valid escapes and no line breaks' }
      }
    } else if (character === '[' || character === '{') {
      open.push(character)
      position++
      expected = character === '[' ? 'value or ]' : 'name or }'
    } else if (character === ']' && expected === 'value or ]') {
      open.pop()
      position++
      expected = 'separator'
    } else if (character === '"') {
      if (!takeString()) return { position, expected: 'a complete string with valid escapes and no line breaks' }
      expected = 'separator'
    } else if (take(literalToken) || take(numberToken)) {
      expected = 'separator'
    } else {
      return mistake
    }
  }
}

/** The position after the string that begins at `start`; undefined when it does not end, has a wrong escape or a control character. */
function endOfString(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return index + 1
    if (code < 0x20) return undefined
    if (code !== 0x5c) continue
    const escaped = text[index + 1] ?? ''
    if (escaped === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(index + 2, index + 6))) index += 5
    else if (escaped !== '' && '"\\/bfnrt'.includes(escaped)) index++
    else return undefined
  }
  return undefined
}
