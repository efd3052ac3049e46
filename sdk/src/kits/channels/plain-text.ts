import { setImmediate } from 'node:timers/promises'
import { lexer, type Token, type Tokens } from 'marked'
import { chunksOf } from './split-text.js'

/** Deeper lists and quotations are shown as they were written. */
const maxDepth = 20

/** Longer texts are read in pieces: hostile ones cost a time that grows with the square of their length. */
const pieceLimit = { unit: 'utf16', max: 3_000 } as const

/**
 * Markdown as plain text, for channels without formats: headings, lists, quotations, tables and code
 * stay readable, marks of emphasis go, and links have their address behind their words. HTML stays as
 * it was written. Other work of the process goes on between the pieces of a long text.
 */
export async function plainTextOf(markdown: string): Promise<string> {
  let plain = ''
  for (const { before, content, after } of chunksOf(markdown, { limit: pieceLimit })) {
    if (plain !== '') await setImmediate()
    plain += `${plainPiece(`${before}${content}${after}`)}${endOf(content)}`
  }
  return plain.trim()
}

function plainPiece(markdown: string): string {
  const bounded = markdown.replace(deepQuotation, (marks) => marks.slice(0, maxDepth))
  return lexer(bounded, { gfm: true })
    .map((token) => blockOf(token, 0))
    .filter((block) => block.trim() !== '')
    .join('\n\n')
}

/** A quotation in more quotations than are read: each costs a call within a call. */
const deepQuotation = /^(?:[ \t]{0,3}(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>])){8,}/gm

/** What stands between a piece and the next one. */
function endOf(content: string): string {
  if (/\n[ \t]*\r?\n\s*$/.test(content.slice(-20))) return '\n\n'
  return content.endsWith('\n') ? '\n' : (/[ \t]$/.exec(content)?.[0] ?? '')
}

function blockOf(token: Token, depth: number): string {
  if (depth > maxDepth) return token.raw
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'code':
      return (token as Tokens.Code).text
    case 'hr':
      return '—'.repeat(3)
    case 'blockquote':
      return prefixed(blocksOf((token as Tokens.Blockquote).tokens, depth), '> ')
    case 'list':
      return listOf(token as Tokens.List, depth)
    case 'table':
      return tableOf(token as Tokens.Table)
    case 'html':
      return token.raw.trim()
    default:
      return inlineOf(token)
  }
}

const blocksOf = (tokens: readonly Token[], depth: number): string =>
  tokens
    .map((token) => blockOf(token, depth + 1))
    .filter((block) => block !== '')
    .join('\n')

function listOf({ items, ordered, start }: Tokens.List, depth: number): string {
  return items
    .map(({ tokens, task, checked }, index) => {
      const mark = ordered ? `${(start === '' ? 1 : start) + index}. ` : '• '
      const box = task ? `[${checked === true ? 'x' : ' '}] ` : ''
      const text = blocksOf(
        tokens.filter(({ type }) => type !== 'checkbox'),
        depth,
      )
      return `${mark}${box}${text.replaceAll('\n', `\n${' '.repeat(mark.length)}`)}`
    })
    .join('\n')
}

const tableOf = ({ header, rows }: Tokens.Table): string =>
  [header, ...rows].map((cells) => cells.map(({ tokens }) => inlinesOf(tokens)).join(' | ')).join('\n')

const prefixed = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n')

const inlinesOf = (tokens: readonly Token[]): string => tokens.map(inlineOf).join('')

function inlineOf(token: Token): string {
  switch (token.type) {
    case 'br':
      return '\n'
    case 'codespan':
    case 'escape':
      return (token as Tokens.Codespan).text
    case 'link':
      return linkOf(token as Tokens.Link)
    case 'image':
      return addressed((token as Tokens.Image).text, (token as Tokens.Image).href)
    case 'html':
      return token.raw
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? inlinesOf(token.tokens)
        : characters('text' in token ? String(token.text) : token.raw)
  }
}

const linkOf = ({ href, tokens }: Tokens.Link): string => addressed(inlinesOf(tokens), href)

function addressed(words: string, href: string): string {
  const address = href.replace(/^mailto:/, '')
  return words === '' || words === address || words === href ? address : `${words} (${href})`
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Character references of HTML, which Markdown has too; others stay as they were written. */
const characters = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (whole, name: string) => (name === '#39' ? "'" : (named[name] ?? whole)))
