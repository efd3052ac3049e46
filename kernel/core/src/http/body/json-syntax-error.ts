import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

/** The parser's error codes in words for the author of the text. */
const expectations: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: 'expected a value or a name in double quotes',
  PropertyNameExpected: 'expected a member name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected “:”',
  CommaExpected: 'expected “,” or the end of the list or object',
  CloseBraceExpected: 'expected “}”',
  CloseBracketExpected: 'expected “]”',
  EndOfFileExpected: 'expected nothing after the value',
  InvalidCommentToken: 'expected no comment',
  UnexpectedEndOfNumber: 'expected a complete number',
}
/** In longer texts the search would take seconds and hundreds of megabytes. */
const maxSearched = 4 * 1024 * 1024
const incompleteString = 'expected a complete string with valid escapes and no line breaks'

/**
 * Where and why a text that `JSON.parse` refused is not JSON, in words for its author: `expected
 * “,” or the end of the list or object at line 3, column 7 (position 41)`. The text itself is not
 * repeated. Nesting takes call stack, so it must be bounded before.
 */
export function findJsonSyntaxError(text: string): string {
  if (text.length > maxSearched) return 'it cannot be parsed (the position is only determined in texts of up to 4 MiB)'
  let found: string | undefined
  const onError = (code: ParseErrorCode, offset: number): never => {
    found = describe(text, code, offset)
    throw new Error(found)
  }
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (found === undefined) throw error
  }
  return found ?? 'it cannot be parsed'
}

function describe(text: string, code: ParseErrorCode, offset: number): string {
  const before = text.slice(0, offset)
  const column = offset - before.lastIndexOf('\n')
  const place = `at line ${before.split('\n').length}, column ${column} (position ${offset})`
  const expectation = expectations[printParseErrorCode(code)] ?? incompleteString
  return offset < text.length ? `${expectation} ${place}` : `the text ends ${place}, ${expectation}`
}
