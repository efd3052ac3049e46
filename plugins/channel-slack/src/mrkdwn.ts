import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'

/** Deeper lists and quotations are shown as they were written. */
const maxDepth = 20

/** Marks of emphasis beyond so many in one text are shown as they were written: each is searched for its end. */
const maxEmphasis = 120

/** The tokens of a text in bounded time. */
function tokensOf(markdown: string): readonly Token[] {
  const tokenizer = new Tokenizer()
  const find = tokenizer.emStrong.bind(tokenizer)
  let tried = 0
  tokenizer.emStrong = (...at) => {
    if (!/^[*_]/.test(at[0])) return undefined
    tried += 1
    return tried > maxEmphasis ? undefined : find(...at)
  }
  return new Lexer({ gfm: true, tokenizer }).lex(markdown)
}

/**
 * Markdown in Slack's own marks. Everything that Slack would act on is escaped: a call to everyone, a
 * mention or a link in its form stays mere text, and links lead to web and mail addresses alone.
 */
export function mrkdwnOf(markdown: string): string {
  const bounded = markdown.replace(/^(?:[ \t]{0,3}(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>])){8,}/gm, (marks) => marks.slice(0, maxDepth))
  return blocksOf(tokensOf(bounded), 0, '\n\n')
}

/** A text in which Slack sees no marks of its own between angle brackets. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const blocksOf = (tokens: readonly Token[], depth: number, between: string): string =>
  tokens
    .map((token) => blockOf(token, depth + 1))
    .filter((block) => block.trim() !== '')
    .join(between)

function blockOf(token: Token, depth: number): string {
  if (depth > maxDepth) return escaped(token.raw)
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'code':
      return `\`\`\`\n${escaped((token as Tokens.Code).text).replaceAll('```', "'''")}\n\`\`\``
    case 'hr':
      return '———'
    case 'heading':
      return `*${inlinesOf((token as Tokens.Heading).tokens).replaceAll('*', '')}*`
    case 'blockquote':
      return blocksOf((token as Tokens.Blockquote).tokens, depth, '\n').replace(/^/gm, '> ')
    case 'list':
      return listOf(token as Tokens.List, depth)
    case 'table':
      return tableOf(token as Tokens.Table)
    case 'html':
      return escaped(token.raw.trimEnd())
    default:
      return inlineOf(token)
  }
}

function listOf({ items, ordered, start }: Tokens.List, depth: number): string {
  return items
    .map(({ tokens, task, checked }, index) => {
      const mark = ordered ? `${(start === '' ? 1 : start) + index}. ` : '• '
      const box = task ? `[${checked === true ? 'x' : ' '}] ` : ''
      const content = tokens.filter(({ type }) => type !== 'checkbox')
      return `${mark}${box}${blocksOf(content, depth, '\n').replaceAll('\n', '\n    ')}`
    })
    .join('\n')
}

/** Slack has no tables in its text: one line a row. */
const tableOf = ({ header, rows }: Tokens.Table): string =>
  [header, ...rows].map((cells) => cells.map(({ tokens }) => inlinesOf(tokens)).join(' | ')).join('\n')

const inlinesOf = (tokens: readonly Token[]): string => tokens.map(inlineOf).join('')

function inlineOf(token: Token): string {
  switch (token.type) {
    case 'br':
      return '\n'
    case 'strong':
      return `*${inlinesOf((token as Tokens.Strong).tokens)}*`
    case 'em':
      return `_${inlinesOf((token as Tokens.Em).tokens)}_`
    case 'del':
      return `~${inlinesOf((token as Tokens.Del).tokens)}~`
    case 'codespan':
      return `\`${escaped((token as Tokens.Codespan).text)}\``
    case 'escape':
      return escaped((token as Tokens.Escape).text)
    case 'link':
      return linkOf((token as Tokens.Link).href, inlinesOf((token as Tokens.Link).tokens))
    case 'image':
      return linkOf((token as Tokens.Image).href, escaped((token as Tokens.Image).text))
    case 'html':
      return escaped(token.raw)
    default:
      if ('tokens' in token && token.tokens !== undefined) return inlinesOf(token.tokens)
      return escaped(references('text' in token ? String(token.text) : token.raw))
  }
}

/** A link, if its address is one of the web or of mail; otherwise its words and its address as text. */
function linkOf(href: string, words: string): string {
  const label = words.replaceAll('\n', ' ').replaceAll('|', '¦')
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(href)) return href === '' ? label : `${label} (${escaped(href)})`
  const address = href.replaceAll('&', '&amp;').replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('|', '%7C')
  return label === '' || label === address ? `<${address}>` : `<${address}|${label}>`
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }

/** Character references of HTML, which Markdown has too; others stay as they were written. */
const references = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (whole, name: string) => named[name] ?? whole)
