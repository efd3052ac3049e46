import { RE2JS, RE2JSException } from 're2js'
import type { SearchQuery } from './search-protocol.js'

/**
 * The first match of the query in a line; -1 for none. Its time is linear in the line, for every
 * query.
 */
export type LineMatcher = (line: string) => number

/** Says, for a model, why a query cannot be used and what to write instead. */
export class UnusableQueryError extends Error {
  override readonly name = 'UnusableQueryError'
}

/**
 * What RE2 does not support because it cannot be matched in linear time, with the closest
 * alternative.
 */
const omitted: readonly { readonly form: RegExp; readonly what: string; readonly instead: string }[] = [
  {
    form: /\(\?<?[=!]/,
    what: 'look-around, (?=…), (?!…), (?<=…) and (?<!…)',
    instead: 'write out the text before and after, or search for a wider expression and pick the lines yourself',
  },
  {
    form: /\\[1-9]|\\k[<{']|\(\?P=/,
    what: 'back-references such as \\1 and \\k<name>',
    instead: 'write the alternatives out, such as (aa|bb), or search for a wider expression and pick the lines yourself',
  },
  { form: /\(\?>|[*+?}]\+/, what: 'atomic groups and possessive repetition', instead: 'leave them out: the search never backtracks' },
]

/** Reads a query. @throws {@link UnusableQueryError} */
export function createLineMatcher({ text, isExpression, ignoreCase }: SearchQuery): LineMatcher {
  if (!isExpression && !ignoreCase) return (line) => line.indexOf(text)
  const expression = isExpression ? compile(text, ignoreCase) : RE2JS.compile(RE2JS.quote(text), RE2JS.CASE_INSENSITIVE)
  return (line) => {
    const matcher = expression.matcher(line)
    return matcher.find() ? matcher.start() : -1
  }
}

function compile(text: string, ignoreCase: boolean): RE2JS {
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0
  const withoutEscapes = text.replaceAll('\\\\', '')
  const missing = omitted.find(({ form }) => form.test(withoutEscapes))
  try {
    return RE2JS.compile(text, flags)
  } catch (error) {
    if (missing)
      throw new UnusableQueryError(
        `Regular expressions use RE2 syntax, which does not support ${missing.what}. Instead, ${missing.instead}.`,
      )
    return compileTranslated(text, flags, error)
  }
}

/**
 * Compiles syntax that only JavaScript has, such as \u00e9. @throws the earlier problem if that was
 * not the cause.
 */
function compileTranslated(text: string, flags: number, before: unknown): RE2JS {
  const translated = RE2JS.translateRegExp(text)
  try {
    if (translated !== text) return RE2JS.compile(translated, flags)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
  }
  if (!(before instanceof RE2JSException)) throw before
  throw new UnusableQueryError(
    `The query is not a regular expression of RE2: ${before.message}. Correct it, or leave regular_expression out to search for the text itself. Repetitions go up to {1000}.`,
  )
}
