import { StringStream } from '@codemirror/streamparser'
import type { Grammar } from './languages.js'

/** A piece of a line, with the class of its colour if it has one. */
export interface Token {
  readonly text: string
  readonly role: string | undefined
}

/** Longer lines stay plain: they were made by programs, and a grammar may look far ahead in them. */
const maxLineLength = 2_000
/** How often a grammar may change its state without reading on, as in CodeMirror. */
const maxEmptySteps = 10
const tabSize = 2

/**
 * Reads lines in order, each once: what a line leaves open, such as a comment, is the state for the next.
 * @throws if the grammar does not read on
 */
export function createTokenReader(grammar: Grammar): (line: string) => readonly Token[] {
  const state = grammar.startState?.(tabSize) ?? {}
  return (line) => {
    if (line.length > maxLineLength) return [{ text: line, role: undefined }]
    if (line === '') grammar.blankLine?.(state, tabSize)
    const tokens: Token[] = []
    const stream = new StringStream(line, tabSize, tabSize)
    while (!stream.eol()) {
      const role = roleOf(step(grammar, stream, state))
      const text = stream.current()
      const last = tokens.at(-1)
      if (last && last.role === role) tokens[tokens.length - 1] = { text: last.text + text, role }
      else tokens.push({ text, role })
    }
    return tokens
  }
}

function step(grammar: Grammar, stream: StringStream, state: unknown): string | null {
  stream.start = stream.pos
  for (let attempt = 0; attempt < maxEmptySteps; attempt += 1) {
    const style = grammar.token(stream, state)
    if (stream.pos > stream.start) return style
  }
  throw new Error('The grammar does not read on.')
}

/** The classes of colours by the names that the grammars have for tokens. */
const roles: ReadonlyMap<string, string> = new Map([
  ...names('k', 'keyword controlKeyword definitionKeyword moduleKeyword operatorKeyword modifier self tag tagName heading header'),
  ...names('st', 'string character regexp quasi attributeValue link url escape'),
  ...names('nu', 'number integer float atom bool null literal unit color constant hash'),
  ...names('co', 'comment lineComment blockComment docComment meta processingInstruction documentMeta annotation'),
  ...names(
    'ty',
    'typeName type className namespace builtin standard def definition property propertyName attribute attributeName macroName labelName',
  ),
  ...names('ad', 'inserted'),
  ...names('rm', 'deleted'),
])

function names(role: string, all: string): readonly (readonly [string, string])[] {
  return all.split(' ').map((name) => [name, role] as const)
}

/** `variableName.definition` is a definition, `string.special` a string; of several names the first with a colour counts. */
function roleOf(style: string | null | undefined): string | undefined {
  if (!style) return undefined
  for (const name of style.split(' ')) {
    const [base = '', ...modifiers] = name.split('.')
    const found = roles.get(base) ?? modifiers.map((each) => roles.get(each)).find((role) => role !== undefined)
    if (found !== undefined) return found
  }
  return undefined
}
