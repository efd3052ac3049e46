import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'

/** HTML is read in pieces of this size, with other work of the process in between. */
const pieceLength = 32_768
const maxDepth = 2_000
const maxAddress = 2_000

const blocks: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'center', 'dd', 'div', 'dl', 'dt', 'fieldset', 'figure', 'footer', 'form'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'nav', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul'],
])
const paragraphs: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'table', 'blockquote', 'pre'])
const unseen: ReadonlySet<string> = new Set([
  ...['head', 'script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'select', 'textarea', 'title'],
])

/**
 * The text of an HTML mail as a person sees it: blocks on lines of their own, lists with marks, links
 * with their address. What is hidden is left out, since only programs would read it. With
 * `dropsHistory` the mail that is answered is left out, where the program of the sender has marked it.
 */
export async function htmlText(html: string, { dropsHistory = false } = {}): Promise<string> {
  const writer = createWriter(dropsHistory)
  const parser = new Parser(writer.handler, { decodeEntities: true, lowerCaseTags: true })
  for (let at = 0; at < html.length; at += pieceLength) {
    if (at > 0) await setImmediate()
    parser.write(html.slice(at, at + pieceLength))
    // The parser needs a time that grows with the depth for each element: what no person has written ends here.
    if (writer.isTooDeep()) return writer.text()
  }
  parser.end()
  return writer.text()
}

interface Element {
  readonly name: string
  readonly isUnseen: boolean
}

function createWriter(dropsHistory: boolean) {
  const pieces: string[] = []
  const open: Element[] = []
  /** The link that is open: how deep it stands, where it leads, and the beginning of its words. */
  let link: { readonly depth: number; readonly href: string; words: string } | undefined
  let hidden = 0
  let depth = 0
  let breaks = 0
  let isEmpty = true
  let isSpaced = false
  let isOver = false
  let isAfterMark = false
  let preformatted = 0
  const write = (text: string): void => {
    if (text === '') return
    const before = isEmpty ? '' : breaks > 0 ? '\n'.repeat(Math.min(breaks, 2)) : isSpaced ? ' ' : ''
    pieces.push(before, text)
    if (link !== undefined && link.words.length < maxAddress) link.words += `${before}${text}`.slice(0, maxAddress)
    ;[breaks, isEmpty, isSpaced, isAfterMark] = [0, false, false, false]
  }
  const end = (name: string): void => {
    // A block at the beginning of an entry stands beside its mark.
    if (isAfterMark) return
    breaks = Math.max(breaks, paragraphs.has(name) ? 2 : 1)
    isSpaced = false
  }
  const writeAddress = ({ href, words }: { readonly href: string; readonly words: string }): void => {
    if (words.trim() !== '' && !isSame(words, href)) write(` (${href})`)
  }
  return {
    handler: {
      onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
        depth += 1
        if (open.length >= maxDepth) return
        if (dropsHistory && !isEmpty && startsHistory(attributes)) isOver = true
        if (name === 'pre') preformatted += 1
        const isUnseen = unseen.has(name) || isHidden(attributes) || (dropsHistory && isHistory(name, attributes))
        if (isUnseen) hidden += 1
        open.push({ name, isUnseen })
        if (hidden > 0 || isOver) return
        const { href = '' } = attributes
        if (name === 'a' && link === undefined && /^(?:https?|mailto):/i.test(href))
          link = { depth: open.length, href: href.slice(0, maxAddress), words: '' }
        if (name === 'br') breaks = isEmpty ? 0 : breaks + 1
        else if (blocks.has(name)) end(name)
        if (name === 'li') {
          write('-')
          isAfterMark = true
        }
        if (name === 'li' || name === 'td' || name === 'th') isSpaced = true
      },
      ontext(text: string): void {
        if (hidden > 0 || isOver) return
        if (preformatted > 0) {
          for (const [index, line] of text.split(/\r?\n/).entries()) {
            if (index > 0) breaks += 1
            write(line)
          }
          return
        }
        if (/^\s/.test(text)) isSpaced = true
        write(text.replace(/[\s\u200b\ufeff]+/g, ' ').trim())
        if (/\S\s$/.test(text.slice(-2)) || /\s\s$/.test(text.slice(-2))) isSpaced = true
      },
      onclosetag(): void {
        depth -= 1
        if (depth >= open.length) return
        const closed = link?.depth === open.length ? link : undefined
        if (closed !== undefined) link = undefined
        const element = open.pop()
        if (element === undefined) return
        if (element.name === 'pre') preformatted -= 1
        if (hidden === 0 && !isOver) {
          if (closed !== undefined) writeAddress(closed)
          if (blocks.has(element.name)) end(element.name)
        }
        if (element.isUnseen) hidden -= 1
      },
    },
    isTooDeep: () => depth > maxDepth,
    text: () => pieces.join('').trim(),
  }
}

const isSame = (words: string, href: string): boolean => {
  const plain = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/^(?:https?:\/\/|mailto:)/, '')
      .replace(/\/$/, '')
  return plain(words) === plain(href)
}

const isHidden = ({ style = '', hidden, ...others }: Readonly<Record<string, string>>): boolean =>
  hidden !== undefined ||
  others['aria-hidden'] === 'true' ||
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]))/i.test(style)

/** How the programs of senders mark the mail that is answered. */
const isHistory = (name: string, { class: names = '', id = '', type = '' }: Readonly<Record<string, string>>): boolean =>
  /(?:^|\s)(?:gmail_quote|gmail_quote_container|yahoo_quoted|moz-cite-prefix|protonmail_quote|zmail_extra)(?:\s|$)/.test(names) ||
  id === 'mail-editor-reference-message-container' ||
  (name === 'blockquote' && type === 'cite')

/** Outlook marks only where it begins: all that follows belongs to it. */
const startsHistory = ({ id = '' }: Readonly<Record<string, string>>): boolean => /^(?:x_)?(?:divRplyFwdMsg|appendonsend)$/.test(id)
