/** What the references of a text refer to. */
export interface Definitions {
  /** By their labels, in the form in which the lexer asks for them. It has no prototype. */
  readonly links: Readonly<Record<string, Definition>>
  /** Whether a definition is referred to, as far as brackets tell. */
  isUsed(label: string): boolean
}

interface Definition {
  readonly href: string
  readonly title: string | undefined
}

const definition = /^ {0,3}\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:<([^<>]*)>|([^<\s]\S*))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
/** What a colon follows may be a definition within a quotation or a list. */
const reference = /\[((?:[^[\]\\]|\\.){1,999})\](?!:)/g

/** Reads the definitions of a whole text, of which the lexer sees one piece at a time. The first of a label counts. */
export function definitionsOf(markdown: string): Definitions {
  const links: Record<string, Definition> = Object.create(null)
  const used = new Set<string>()
  let fence: string | undefined
  let canDefine = true
  for (const line of markdown.split('\n')) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    const found: readonly string[] | null = canDefine ? definition.exec(line) : null
    if (fence !== undefined) fence = mark?.startsWith(fence) && line.trim() === mark ? undefined : fence
    else if (mark !== undefined) fence = mark
    else if (found) links[labelOf(found[1] ?? '')] ??= { href: unescaped(found[2] ?? found[3] ?? ''), title: undefined }
    else for (const [, label = ''] of line.matchAll(reference)) used.add(labelOf(label))
    // A definition does not interrupt a paragraph.
    canDefine = found !== null || line.trim() === '' || (mark !== undefined && fence === undefined)
  }
  return { links, isUsed: (label) => used.has(labelOf(label)) }
}

const labelOf = (written: string): string => written.replace(/\s+/g, ' ').toLowerCase()
const unescaped = (address: string): string => address.replace(/\\([!-/:-@[-`{-~])/g, '$1')
