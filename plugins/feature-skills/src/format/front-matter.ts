import { isMap, Lexer, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'

/** What is said about a line of SKILL.md. */
export interface LineNote {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** The front matter of a SKILL.md, read; or what keeps it from being read. */
export type FrontMatter =
  | {
      readonly map: YAMLMap<Node, Node | null>
      /** What was read otherwise than YAML would. */
      readonly warnings: readonly LineNote[]
      /** The line of SKILL.md, from 1, for an offset of the YAML. */
      readonly lineOf: (offset: number) => number
      readonly body: string
      readonly problem?: undefined
    }
  | { readonly problem: LineNote }

const maxFrontMatterBytes = 32_768
/** The library takes seconds for texts that nest thousands of lists. */
const maxDepth = 50
/** Each line is counted alone. Of texts with more, the library takes seconds, or exceeds the stack. Skills of the large collections have 220 at most. */
const maxTokens = 2_000
const memberLine = /^(["']?)([A-Za-z][\w.-]*)\1[ \t]*:(?:[ \t]+(.*))?$/

/**
 * Finds the front matter between the lines of `---` and reads it as YAML. A member whose value is no
 * YAML (a text with a colon, with a mark such as `*` at its beginning, or with a blank line) is read as
 * the text that its author wrote, with a warning: one such value would otherwise disable the skill.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.split(/\r\n|\n|\r/)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (lines[first]?.trimEnd() !== '---') return { problem: { line: Math.max(first, 0) + 1, message: missingBegin(lines[first] ?? '') } }
  const end = lines.findIndex((line, index) => index > first && line.trimEnd() === '---')
  if (end < 0) return { problem: { line: first + 1, message: 'the front matter has no end: a line “---” is missing' } }
  const inner = lines.slice(first + 1, end)
  if (Buffer.byteLength(inner.join('\n')) > maxFrontMatterBytes)
    return { problem: { line: first + 1, message: `the front matter has more than ${maxFrontMatterBytes} bytes; move the text below it` } }
  if (hasMoreTokens(inner, maxTokens))
    return { problem: { line: first + 2, message: 'the front matter has too many keys, values and marks; move the text below it' } }
  const { readable, warnings } = readableLines(inner)
  const counter = new LineCounter()
  const parsed = parseYaml(readable, counter)
  const lineOf = (offset: number): number => counter.linePos(offset).line + first + 1
  if (typeof parsed === 'string') return { problem: { line: first + 2, message: `the front matter is not YAML: ${parsed}` } }
  if (parsed.errors[0])
    return {
      problem: { line: lineOf(parsed.errors[0].pos[0]), message: `the front matter is not YAML: ${firstLine(parsed.errors[0].message)}` },
    }
  if (!isMap(parsed.contents)) return { problem: withoutMembers(inner, first + 2) }
  return {
    map: parsed.contents as YAMLMap<Node, Node | null>,
    warnings: warnings.map(({ line, message }) => ({ line: line + first + 1, message })),
    lineOf,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

function missingBegin(line: string): string {
  if (memberLine.test(line)) return 'the first line “---” is missing above the front matter; write it there'
  if (/^[\p{Pd}]{1,10}\s*$/u.test(line))
    return `it begins with “${line.trim()}”; the front matter begins with a line of three hyphens, “---”`
  if (/^```/.test(line)) return 'it begins with “```”; leave this line and its end out, so that “---” is the first line'
  return 'it must begin with a line “---” and front matter: name and description, and a line “---” below them'
}

/** Text that was copied from a page or a phone may have other colons and blanks. */
function withoutMembers(lines: readonly string[], firstLine: number): LineNote {
  const index = lines.findIndex((line) => /^(?:name|description)\s*[:\uff1a]/i.test(line))
  const [key = ''] = /^\w+/.exec(lines[index] ?? '') ?? []
  return index < 0
    ? { line: firstLine, message: 'the front matter must have “name” and “description”' }
    : { line: firstLine + index, message: `a plain colon and a plain blank must be behind “${key}”: write “${key}: …”` }
}

/** The document, with its errors; why it is not read at all. */
function parseYaml(lines: readonly string[], lineCounter?: LineCounter) {
  const text = lines.join('\n')
  if (depthOf(text) > maxDepth) return `it is nested more than ${maxDepth} levels deep`
  // Members are compared by hand: among thousands of keys the comparison of the library takes seconds.
  const options = { uniqueKeys: false, schema: 'core', prettyErrors: false, logLevel: 'silent' } as const
  return parseDocument(text, lineCounter ? { ...options, lineCounter } : options)
}

/** At least as deep as the lists and maps of a text are, by brackets or by indentation. */
function depthOf(text: string): number {
  let [open, deepest] = [0, 0]
  for (const [mark] of text.matchAll(/[[\]{}]|[-?] (?=[-?] )/g)) {
    open += mark === ']' || mark === '}' ? -1 : 1
    deepest = Math.max(deepest, open)
  }
  return deepest
}

function hasMoreTokens(lines: readonly string[], max: number): boolean {
  let count = 0
  for (const line of lines) for (const _ of new Lexer().lex(line)) if (++count > max) return true
  return false
}

function isReadable(lines: readonly string[]): boolean {
  const parsed = parseYaml(lines)
  return typeof parsed !== 'string' && parsed.errors.length === 0 && parsed.warnings.length === 0
}

/** The lines with each value that is no YAML in quotes. There are as many as before. */
function readableLines(lines: readonly string[]): { readonly readable: readonly string[]; readonly warnings: readonly LineNote[] } {
  const blocks = blocksOf(lines)
  if (isReadable(lines) && !blocks.some(isCommentedOut)) return { readable: lines, warnings: [] }
  const readable: string[] = []
  const warnings: LineNote[] = []
  for (const block of blocks) {
    const [, quote = '', key, value = ''] = memberLine.exec(block.lines[0] ?? '') ?? []
    if (key === undefined || (isReadable(block.lines) && !isCommentedOut(block))) {
      readable.push(...block.lines)
      continue
    }
    readable.push(`${quote}${key}${quote}: ${JSON.stringify(textOf(value, block.lines.slice(1)))}`, ...block.lines.slice(1).map(() => ''))
    warnings.push({ line: block.line, message: `“${key}” is read as plain text, since ${reasonOf(value, block.lines)}` })
  }
  return { readable, warnings }
}

/** A member with the lines that belong to it. */
interface Block {
  /** From 1. */
  readonly line: number
  readonly lines: string[]
}

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  for (const [index, line] of lines.entries()) {
    const last = blocks.at(-1)
    if (last && !memberLine.test(line)) last.lines.push(line)
    else blocks.push({ line: index + 1, lines: [line] })
  }
  return blocks
}

/** A description that begins with `#`: for YAML it is a comment, and nothing is left. */
const isCommentedOut = ({ lines: [first = '', ...more] }: Block): boolean =>
  /^description:[ \t]+#/.test(first) && more.every((line) => line.trim() === '')

/** The text of a value: lines are joined with blanks, and a blank line ends a paragraph. */
function textOf(value: string, more: readonly string[]): string {
  const start = more.some((line) => line.trim() !== '') ? value.replace(/^[|>][+-]?\d?$/, '') : value
  const paragraphs: string[][] = [[]]
  for (const line of [start, ...more].map((each) => each.trim())) {
    if (line === '') paragraphs.push([])
    else paragraphs.at(-1)?.push(line)
  }
  const texts = paragraphs.filter((words) => words.length > 0).map((words) => words.join(' '))
  return texts.join('\n')
}

/** Why a value is no YAML, and the cure. */
function reasonOf(value: string, lines: readonly string[]): string {
  const [mark] = /^[[\]{}*&!|>%@`#"',?-]/.exec(value) ?? []
  if (mark !== undefined) return `“${mark}” at its beginning has another meaning in YAML; put it in quotes`
  if (lines.some((line) => /^ *\t/.test(line))) return 'a tab at the beginning of a line is no indentation in YAML; write blanks instead'
  if (/:(\s|$)/.test([value, ...lines.slice(1)].join('\n')))
    return 'a colon and a blank in it have another meaning in YAML; put it in quotes'
  return 'it is no YAML as it stands; put it in quotes'
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/[.:]$/, '')
