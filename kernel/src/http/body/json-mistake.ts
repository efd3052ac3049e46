/** The grammar of a JSON number, string and literal, each matched at a position. */
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
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
      } else if (take(stringToken)) {
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
      if (!take(stringToken)) return { position, expected: 'a complete string with valid escapes and no line breaks' }
      expected = 'separator'
    } else if (take(literalToken) || take(numberToken)) {
      expected = 'separator'
    } else {
      return mistake
    }
  }
}
