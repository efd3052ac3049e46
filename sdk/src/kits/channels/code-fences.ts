/** A fenced block of code in a Markdown text, by positions. */
export interface CodeFence {
  /** Where its first line begins. */
  readonly start: number
  /** Where its content begins. */
  readonly from: number
  /** Where its content ends: the beginning of its last line, or the end of the text. */
  readonly to: number
  /** Where it ends, its last line included. */
  readonly end: number
  /** The line that opens it again: indentation, marker, language, line end. */
  readonly opening: string
  /** The line that closes it. */
  readonly closing: string
}

const opens = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\n]*)$/

/** Longer markers and languages are not repeated in every part of a block. */
const maxMarker = 12
const maxLanguage = 20

/** The fenced blocks of a text in order (CommonMark 0.31, section 4.5), indented to any depth, as in lists. */
export function codeFencesOf(text: string): readonly CodeFence[] {
  const fences: CodeFence[] = []
  let open: (Pick<CodeFence, 'start' | 'from' | 'opening' | 'closing'> & { readonly marker: string }) | undefined
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start)
    const next = lineEnd === -1 ? text.length : lineEnd + 1
    const [, indent = '', marker = '', info = ''] =
      opens.exec(text.slice(start, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, '')) ?? []
    if (open === undefined) {
      if (marker !== '' && marker.length <= maxMarker && !(marker.startsWith('`') && info.includes('`')))
        open = { start, from: next, marker, opening: `${indent}${marker}${languageOf(info)}\n`, closing: `${indent}${marker}` }
    } else if (marker.startsWith(open.marker) && info.trim() === '') {
      fences.push({ ...open, to: start, end: next })
      open = undefined
    }
    start = next
  }
  return open === undefined ? fences : [...fences, { ...open, to: text.length, end: text.length }]
}

function languageOf(info: string): string {
  const [word = ''] = info.trim().split(/\s/)
  return word.length <= maxLanguage ? word : ''
}
