import { Lexer, Marked, type Token, type Tokenizer } from 'marked'
import { footnoteExtensions } from './footnotes.js'
import { endsBeforeMaths, mathsExtensions, withoutMaths } from './maths.js'
import type { MarkdownOptions } from './options.js'

/** Leaves to the lexer what is a heading by the line below it. */
function lheading(this: Tokenizer, text: string): false | undefined {
  const [raw = ''] = this.rules.block.lheading.exec(text) ?? []
  return endsBeforeMaths(raw) ? undefined : false
}

function createDialect(breaks: boolean, maths: boolean, footnotes: boolean): Marked {
  const marked = new Marked({ gfm: true, breaks })
  if (maths) marked.use({ extensions: [...mathsExtensions], hooks: { emStrongMask: withoutMaths }, tokenizer: { lheading } })
  if (footnotes) marked.use({ extensions: [...footnoteExtensions] })
  return marked
}

const dialects = new Map<string, Marked>()

/** What reads Markdown as the options want it, with the definitions of the whole text. */
export function lexerFor({ breaks, maths = false, footnotes }: MarkdownOptions, links: object): Lexer {
  const key = `${breaks} ${maths} ${footnotes !== undefined}`
  const dialect = dialects.get(key) ?? createDialect(breaks, maths, footnotes !== undefined)
  dialects.set(key, dialect)
  const lexer = new Lexer(dialect.defaults)
  lexer.tokens.links = Object.create(links)
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
