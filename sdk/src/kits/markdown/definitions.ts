import { definedNote } from './footnotes.js'

/** What the references of a text refer to. */
export interface Definitions {
  /** By their labels, in the form in which the lexer asks for them. It has no prototype. */
  readonly links: Readonly<Record<string, Definition>>
  /** Whether there is a note of this label. */
  isNote(label: string): boolean
  /** Whether a definition is referred to, as far as brackets tell. */
  isUsed(label: string): boolean
  /** Reads the lines of a growing text that are new; what is before the end of the last one it knows. */
  readTo(text: string, end: number): void
  /** What a piece takes from them: the same words mean that it need not be read again. */
  takenBy(piece: string): string
}

/** Where a reference leads. */
export interface Definition {
  readonly href: string
  readonly title: string | undefined
}

const definition = /^ {0,3}\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:<([^<>]*)>|([^<\s]\S*))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
/** How a line within quotations and items begins. */
const container = /^(?: {0,3}(?:>|(?:[-+*]|\d{1,9}[.)])[ \t]))*/
/** A heading or a line, which are whole, so that a definition may follow. */
const wholeLine = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|([-_*])[ \t]*(?:\1[ \t]*){2,}$)/
/** What a colon follows may be a definition within a quotation or a list. */
const reference = /\[((?:[^[\]\\]|\\.){1,999})\](?!:)/g

/** Reads the definitions of a whole text, of which the lexer sees one piece at a time. The first of a label counts. */
export function createDefinitions(hasNotes: boolean): Definitions {
  const links: Record<string, Definition> = Object.create(null)
  const used = new Set<string>()
  const notes = new Set<string>()
  let fence: string | undefined
  let canDefine = true
  let known = 0
  const readLine = (line: string): void => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    const note = hasNotes && fence === undefined ? definedNote(line) : undefined
    if (note !== undefined) notes.add(note)
    const [begin = ''] = container.exec(line) ?? []
    const text = line.slice(begin.length)
    const mayDefine = canDefine || /[ \t]$/.test(begin)
    const found: readonly string[] | null = mayDefine && note === undefined ? definition.exec(text) : null
    if (fence !== undefined) fence = mark?.startsWith(fence) && line.trim() === mark ? undefined : fence
    else if (mark !== undefined) fence = mark
    else if (found) links[labelOf(found[1] ?? '')] ??= { href: unescaped(found[2] ?? found[3] ?? ''), title: undefined }
    else for (const [, label = ''] of line.matchAll(reference)) used.add(labelOf(label))
    // A definition does not interrupt a paragraph.
    canDefine = found !== null || text.trim() === '' || wholeLine.test(text) || (mark !== undefined && fence === undefined)
  }
  const isUsed = (label: string): boolean => used.has(labelOf(label))
  return {
    links,
    isUsed,
    isNote: (label) => notes.has(label),
    readTo(text, end) {
      if (end <= known) return
      for (const line of text.slice(known, end).replace(/\n$/, '').split('\n')) readLine(line)
      known = end
    },
    takenBy(piece) {
      const labels = [...piece.matchAll(/\[((?:[^[\]\\]|\\.){1,999})\]/g)].map(([, label = '']) => labelOf(label))
      return labels.map((label) => `${links[label]?.href ?? ''} ${isUsed(label)}`).join('\n')
    },
  }
}

const labelOf = (written: string): string => written.replace(/\s+/g, ' ').toLowerCase()
const unescaped = (address: string): string => address.replace(/\\([!-/:-@[-`{-~])/g, '$1')
