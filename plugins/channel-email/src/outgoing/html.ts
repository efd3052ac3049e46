import { setImmediate } from 'node:timers/promises'
import { splitText } from '@agent-service/sdk/channels'
import { Marked, type Tokens } from 'marked'

/** Longer texts are read in pieces: hostile ones cost a time that grows with the square of their length. */
const pieceLimit = { unit: 'utf16', max: 4_000 } as const

const style = 'font-family: system-ui, sans-serif; line-height: 1.5; max-width: 44rem'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')

const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(href)

/**
 * HTML in a text is shown as it was written. Pictures become links: a mail that loads them tells their
 * server that it was read, with whatever a model wrote into the address.
 */
const marked = new Marked({
  ...{ gfm: true, breaks: true },
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    link({ href, tokens }: Tokens.Link) {
      const words = this.parser.parseInline(tokens)
      return isSafe(href) ? `<a href="${escaped(href)}" rel="noreferrer">${words}</a>` : words
    },
    image: ({ href, text }: Tokens.Image) =>
      isSafe(href) ? `<a href="${escaped(href)}" rel="noreferrer">${escaped(text || href)}</a>` : escaped(text),
  },
})

/** A Markdown text as a page for mail programs. Other work of the process goes on between its pieces. */
export async function htmlOf(markdown: string): Promise<string> {
  const pieces: string[] = []
  for (const piece of splitText(bounded(markdown), { limit: pieceLimit })) {
    if (pieces.length > 0) await setImmediate()
    pieces.push(String(marked.parse(piece, { async: false })))
  }
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head>\n<body style="${style}" dir="auto">\n${pieces.join('\n')}</body></html>\n`
}

/** Each quotation in a quotation costs a call within a call. */
const bounded = (markdown: string): string =>
  markdown.replace(/^(?:[ \t]{0,3}(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>])){8,}/gm, (marks) => marks.slice(0, 20))
