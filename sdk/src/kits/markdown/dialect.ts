import { Lexer, Marked, type Token, type Tokenizer } from 'marked'
import type { Definition } from './definitions.js'
import { footnoteExtensions } from './footnotes.js'
import { endsBeforeMaths, mathsExtensions, withoutMaths } from './maths.js'
import type { MarkdownOptions } from './options.js'

/** Leaves to the lexer what is a heading by the line below it. */
function lheading(this: Tokenizer, text: string): false | undefined {
  const [raw = ''] = this.rules.block.lheading.exec(text) ?? []
  return endsBeforeMaths(raw) ? undefined : false
}

/** Of more marks in one paragraph the lexer would compare each with each. */
const maxEmphasis = 250

/** A text of the same length in which no more marks of emphasis are left. */
function withFewMarks(text: string): string {
  const marks = /(?<!\\)(?:\*+|_+)/g
  for (let count = 0; marks.exec(text); count += 1)
    if (count === maxEmphasis) return text.slice(0, marks.lastIndex) + text.slice(marks.lastIndex).replace(/[*_]/g, 'm')
  return text
}

function createDialect(breaks: boolean, maths: boolean, footnotes: boolean): Marked {
  const marked = new Marked({ gfm: true, breaks })
  marked.use({ hooks: { emStrongMask: (text) => withFewMarks(maths ? withoutMaths(text) : text) } })
  if (maths) marked.use({ extensions: [...mathsExtensions], tokenizer: { lheading } })
  if (footnotes) marked.use({ extensions: [...footnoteExtensions] })
  return marked
}

const dialects = new Map<string, Marked>()

/**
 * What reads Markdown as the options want it, with the definitions of the whole text: those that the lexer finds itself
 * do not count, since they would depend on where a text was cut.
 */
export function lexerFor({ breaks, maths = false, footnotes }: MarkdownOptions, links: Readonly<Record<string, Definition>>): Lexer {
  const key = `${breaks} ${maths} ${footnotes !== undefined}`
  const dialect = dialects.get(key) ?? createDialect(breaks, maths, footnotes !== undefined)
  dialects.set(key, dialect)
  const lexer = new Lexer(dialect.defaults)
  lexer.tokens.links = new Proxy({}, { get: (_, label) => Reflect.get(links, label), set: () => true })
  return lexer
}

/** The tokens of a text; `undefined` for one that is nested too deeply, since the lexer recurses. */
export function tokensOf(lex: () => Token[]): readonly Token[] | undefined {
  try {
    return lex()
  } catch (error) {
    if (isTooDeep(error)) return undefined
    throw error
  }
}

/** Firefox has an error of its own for it. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError || (error instanceof Error && error.name === 'InternalError')
