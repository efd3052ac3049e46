import type { TokenizerExtension } from 'marked'
import { element, type MarkupElement, type MarkupNode } from './markup.js'

const label = String.raw`\[\^([^\s\]^[]{1,99})\]`
const reference = new RegExp(`^${label}`)
const definition = new RegExp(`^ {0,3}${label}:[ \\t]*`)
const definitionBelow = new RegExp(`\\n {0,3}${label}:`)
/** What ends a note without an empty line. */
const otherBlock = new RegExp(`^ {0,3}(?:${label}:|[-+*][ \\t]|\\d{1,9}[.)][ \\t]|#{1,6}[ \\t]|>|\`\`\`|~~~)`)

/** The label of the note that a line defines. */
export const definedNote = (line: string): string | undefined => definition.exec(line)?.[1]

/** The lines of the note with which a text begins. */
function noteLines(text: string): readonly string[] {
  const lines = text.split('\n')
  let end = 1
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const isBelow = end === at && line.trim() !== '' && !otherBlock.test(line)
    if (isBelow || /^(?: {4}|\t)[ \t]*\S/.test(line)) end = at + 1
    else if (line.trim() !== '') break
  }
  return lines.slice(0, end)
}

/** The lexer asks at each of its steps, of all that follows: one letter that is rare is found fastest. */
const mayHaveNotes = (text: string): boolean => text.includes('^')

/** What reads `[^1]`, and `[^1]: text` with the lines below that belong to it. */
export const footnoteExtensions: readonly TokenizerExtension[] = [
  {
    name: 'footnote',
    level: 'block',
    start: (text) => (mayHaveNotes(text) ? definitionBelow.exec(text)?.index : undefined),
    tokenizer(text) {
      const [mark, written = ''] = definition.exec(text) ?? []
      if (mark === undefined) return undefined
      const raw = noteLines(text).join('\n')
      const content = raw.slice(mark.length).replace(/^(?: {4}|\t)/gm, '')
      return { type: 'footnote', raw, label: written, tokens: this.lexer.blockTokens(content, []) }
    },
  },
  {
    name: 'footnoteReference',
    level: 'inline',
    start: (text) => {
      const at = mayHaveNotes(text) ? text.indexOf('[^') : -1
      return at < 0 ? undefined : at
    },
    tokenizer(text) {
      const [raw, written = ''] = reference.exec(text) ?? []
      return raw === undefined ? undefined : { type: 'footnoteReference', raw, label: written }
    },
  },
]

/** The notes of one text, with numbers in the order in which the text refers to them. */
export interface Footnotes {
  /** Takes what a note says; false if nothing refers to it. */
  define(label: string, nodes: readonly MarkupNode[]): boolean
  /** What stands where the text refers to a note. */
  referenceTo(label: string): MarkupNode | undefined
  /** The notes below the text. */
  nodes(): readonly MarkupNode[]
}

/**
 * @param id the beginning of the ids, which the page chooses: labels are not in them
 * @param isOpen whether a note that is not there yet may still come
 */
export function createFootnotes(
  id: string,
  { isDefined, isUsed, isOpen }: { isDefined(label: string): boolean; isUsed(label: string): boolean; readonly isOpen: boolean },
): Footnotes {
  const numbers = new Map<string, number>()
  const referred = new Set<string>()
  const contents = new Map<string, readonly MarkupNode[]>()
  const back = (number: number): MarkupElement => element('a', ['↩'], { href: `#${id}-note-ref-${number}` })
  const item = (number: number, nodes: readonly MarkupNode[]): MarkupElement => {
    if (isOpen) return element('li', nodes, { id: `${id}-note-${number}` })
    const last = nodes.at(-1)
    const isText = typeof last === 'object' && last.name === 'p'
    const children = isText
      ? [...nodes.slice(0, -1), { ...last, children: [...last.children, ' ', back(number)] }]
      : [...nodes, back(number)]
    return element('li', children, { id: `${id}-note-${number}` })
  }
  return {
    define(label, nodes) {
      if (!isUsed(`^${label}`)) return false
      if (!contents.has(label) || isOpen) contents.set(label, nodes)
      return true
    },
    referenceTo(label) {
      if (!isDefined(label) && !isOpen) return undefined
      const number = numbers.get(label) ?? numbers.size + 1
      numbers.set(label, number)
      if (!isDefined(label)) return element('sup', [String(number)])
      const first = referred.has(label) && !isOpen ? undefined : `${id}-note-ref-${number}`
      referred.add(label)
      return element('sup', [element('a', [String(number)], { href: `#${id}-note-${number}`, id: first })])
    },
    nodes() {
      const items = [...numbers].flatMap(([label, number]) => {
        const nodes = contents.get(label)
        return nodes ? [item(number, nodes)] : []
      })
      return items.length === 0 ? [] : [element('hr', []), element('ol', items)]
    },
  }
}
