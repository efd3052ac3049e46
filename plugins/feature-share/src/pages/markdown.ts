import { Marked, type Token, type Tokens } from 'marked'
import { escaped } from './escape.js'

/** Longer pieces are shown as plain text: the time to read one stays short. */
const maxPiece = 8_000
const maxDepth = 30

const lexer = new Marked({ gfm: true, breaks: false })

/**
 * Markdown as HTML, piece by piece, so that whoever writes them to a client lets others work in
 * between. Only the elements below come out, with no attribute but `href` (http, https, mailto),
 * `start`, `dir` and a few fixed classes; HTML in the text is shown as text, and pictures become
 * links, so that a page never requests anything that its text names.
 */
export function* htmlOf(markdown: string): Iterable<string> {
  for (const piece of piecesOf(markdown)) yield piece.length > maxPiece ? plain(piece) : pieceHtml(piece)
}

function pieceHtml(markdown: string): string {
  try {
    return blocks(lexer.lexer(markdown), 0)
  } catch (error) {
    // The lexer recurses: what is nested too deeply is shown as it was written.
    if (error instanceof RangeError) return plain(markdown)
    throw error
  }
}

/** Cuts at empty lines outside of fenced code. */
function* piecesOf(markdown: string): Iterable<string> {
  let piece = ''
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    if (line.trim() === '' && fence === undefined && piece.length > maxPiece / 2) {
      yield piece
      piece = ''
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && fence === undefined) fence = mark
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined
    piece += `${line}\n`
  }
  if (piece.trim() !== '') yield piece
}

const plain = (text: string): string => `<pre dir="auto">${escaped(text)}</pre>`

function blocks(tokens: readonly Token[], depth: number): string {
  if (depth > maxDepth) return tokens.map(({ raw }) => escaped(raw)).join('')
  return tokens.map((token) => block(token as Tokens.Generic, depth + 1)).join('')
}

function block(token: Tokens.Generic, depth: number): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'hr':
      return '<hr>'
    case 'heading':
      // The page has the first two levels.
      return `<h${headingLevel(token)} dir="auto">${inline(token.tokens, depth)}</h${headingLevel(token)}>`
    case 'code':
      return `<pre><code>${escaped(String(token['text']))}\n</code></pre>`
    case 'blockquote':
      return `<blockquote>${blocks(token.tokens ?? [], depth)}</blockquote>`
    case 'list':
      return list(token as Tokens.List, depth)
    case 'table':
      return table(token as Tokens.Table, depth)
    case 'paragraph':
      return `<p dir="auto">${inline(token.tokens, depth)}</p>`
    case 'text':
      return token.tokens ? inline(token.tokens, depth) : escaped(String(token['text']))
    case 'checkbox':
      return token['checked'] === true ? '☑ ' : '☐ '
    default:
      return `<p dir="auto">${escaped(token.raw)}</p>`
  }
}

const headingLevel = (token: Tokens.Generic): number => Math.min(6, 2 + Number(token['depth'] ?? 1))

function list({ ordered, start, items }: Tokens.List, depth: number): string {
  const first = ordered && typeof start === 'number' && start !== 1 ? ` start="${Math.trunc(start)}"` : ''
  const entries = items.map((item) => `<li dir="auto">${blocks(item.tokens, depth)}</li>`).join('')
  return ordered ? `<ol${first}>${entries}</ol>` : `<ul>${entries}</ul>`
}

function table({ header, rows }: Tokens.Table, depth: number): string {
  const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
    `<tr>${row.map(({ tokens }) => `<${tag} dir="auto">${inline(tokens, depth)}</${tag}>`).join('')}</tr>`
  const body = rows.map((row) => cells(row, 'td')).join('')
  return `<div class="wide" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>`
}

function inline(tokens: readonly Token[] | undefined, depth: number): string {
  if (!tokens) return ''
  if (depth > maxDepth) return tokens.map(({ raw }) => escaped(raw)).join('')
  return tokens.map((token) => span(token as Tokens.Generic, depth + 1)).join('')
}

function span(token: Tokens.Generic, depth: number): string {
  switch (token.type) {
    case 'strong':
      return `<strong>${inline(token.tokens, depth)}</strong>`
    case 'em':
      return `<em>${inline(token.tokens, depth)}</em>`
    case 'del':
      return `<del>${inline(token.tokens, depth)}</del>`
    case 'codespan':
      return `<code>${escaped(String(token['text']))}</code>`
    case 'br':
      return '<br>'
    case 'checkbox':
      return token['checked'] === true ? '☑ ' : '☐ '
    case 'link':
      return link(String(token['href']), inline(token.tokens, depth))
    case 'image':
      return link(String(token['href']), escaped(String(token['text'] || token['href'])))
    case 'text':
      return token.tokens ? inline(token.tokens, depth) : escaped(decoded(String(token['text'])))
    case 'escape':
      return escaped(decoded(String(token['text'])))
    default:
      return escaped(token.raw)
  }
}

/** A link out of the page, or its text alone if it leads to anything but a web page or an address. */
function link(href: string, text: string): string {
  if (!URL.canParse(href) || !/^(https?|mailto):$/.test(new URL(href).protocol)) return text
  // A picture in a link was made a link too.
  const unlinked = text.replace(/<\/?a\b[^>]*>/g, '')
  return `<a href="${escaped(new URL(href).href)}" rel="noopener noreferrer nofollow">${unlinked}</a>`
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** The common character references, which a text of Markdown may have. */
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (whole, name: string) => named[name] ?? (name === '#39' ? "'" : whole))
