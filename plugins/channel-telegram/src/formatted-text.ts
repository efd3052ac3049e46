import { lexer, type Token, type Tokens } from 'marked'

/** A format of a part of a text, in UTF-16 units. */
export interface TextEntity {
  readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'text_link' | 'blockquote'
  readonly offset: number
  readonly length: number
  readonly url?: string
  readonly language?: string
}

/** A text with its formats beside it: nothing in it is read as a mark. */
export interface FormattedText {
  readonly text: string
  readonly entities: readonly TextEntity[]
}

/** Telegram leaves further ones out. */
const maxEntities = 100

/** Deeper lists and quotations are shown as they were written. */
const maxDepth = 12

/** A text with more signs that may be marks is shown as it was written: reading it takes a time that grows with their square. */
const maxMarks = 600

/** Lists and quotations in more of them than are read: each costs a call within a call. */
const deepMarks = /^(?:[ \t]{0,3}(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>])){8,}/gm

/**
 * Markdown as Telegram shows it. Written by a model: HTML stays text, links lead to `http` and `https`
 * alone, since `tg:` links name people, and `@name` outside code has another sign, so that no one is
 * mentioned. The text is about as long as the Markdown, or shorter.
 */
export function formattedText(markdown: string): FormattedText {
  const plain = { text: withoutMentions(markdown.trim(), []), entities: [] }
  if ((markdown.match(/[*_~`[\]!<]/g)?.length ?? 0) > maxMarks) return plain
  const writer = createWriter()
  const bounded = markdown.replace(deepMarks, (marks) => marks.slice(0, maxDepth))
  writeBlocks(writer, lexer(bounded, { gfm: true }), 0, '\n\n')
  const written = writer.end()
  return written.text.trim() === '' ? plain : written
}

type Format = Omit<TextEntity, 'offset' | 'length'>

interface Writer {
  write(text: string): void
  formatted(format: Format, content: () => void): void
  end(): FormattedText
}

function createWriter(): Writer {
  let text = ''
  const entities: TextEntity[] = []
  return {
    write(piece) {
      text += piece
    },
    formatted(format, content) {
      const offset = text.length
      content()
      if (text.length > offset) entities.push({ ...format, offset, length: text.length - offset })
    },
    end() {
      const length = text.trimEnd().length
      const within = entities
        .map((entity) => ({ ...entity, length: Math.min(entity.length, length - entity.offset) }))
        .filter((entity) => entity.length > 0)
      const codes = within.filter(isCode)
      const kept = within
        .flatMap((entity) => (isCode(entity) || entity.type === 'blockquote' ? [entity] : around(entity, codes)))
        .toSorted((one, other) => one.offset - other.offset || other.length - one.length)
        .slice(0, maxEntities)
      return { text: withoutMentions(text.slice(0, length), kept.filter(isCode)), entities: kept }
    },
  }
}

const isCode = ({ type }: TextEntity): boolean => type === 'code' || type === 'pre'

/** The parts of a format that are not in code, which has no other format. */
function around(entity: TextEntity, codes: readonly TextEntity[]): readonly TextEntity[] {
  const end = entity.offset + entity.length
  const parts: TextEntity[] = []
  let at = entity.offset
  for (const code of codes.filter(({ offset, length }) => offset < end && offset + length > entity.offset)) {
    if (code.offset > at) parts.push({ ...entity, offset: at, length: code.offset - at })
    at = Math.max(at, code.offset + code.length)
  }
  return at < end ? [...parts, { ...entity, offset: at, length: end - at }] : parts
}

/** Telegram takes a name after `@` for a mention, except in code. The wide sign has the same length. */
const withoutMentions = (text: string, codes: readonly TextEntity[]): string =>
  text.replace(/(?<![\w.])@(?=\w{2})/g, (sign, at: number) =>
    codes.some(({ offset, length }) => at >= offset && at < offset + length) ? sign : '＠',
  )

function writeBlocks(writer: Writer, tokens: readonly Token[], depth: number, between: string): void {
  let isFirst = true
  for (const token of tokens) {
    if (token.type === 'space' || token.type === 'def' || token.type === 'checkbox') continue
    if (!isFirst) writer.write(between)
    isFirst = false
    writeBlock(writer, token, depth)
  }
}

function writeBlock(writer: Writer, token: Token, depth: number): void {
  if (depth > maxDepth) return void writer.write(token.raw)
  switch (token.type) {
    case 'heading':
      return void writer.formatted({ type: 'bold' }, () => writeInline(writer, (token as Tokens.Heading).tokens))
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code
      const [language = ''] = lang.split(/\s/)
      return void writer.formatted({ type: 'pre', ...(/^[\w+#.-]{1,30}$/.test(language) && { language }) }, () => writer.write(text))
    }
    case 'hr':
      return void writer.write('———')
    case 'blockquote': {
      const content = (): void => writeBlocks(writer, (token as Tokens.Blockquote).tokens, depth + 1, '\n')
      // Quotations cannot be in one another.
      return void (depth === 0 ? writer.formatted({ type: 'blockquote' }, content) : content())
    }
    case 'list':
      return void writeList(writer, token as Tokens.List, depth)
    case 'table':
      return void writer.formatted({ type: 'pre' }, () => writer.write(token.raw.trim()))
    case 'html':
      return void writer.write(token.raw.trim())
    default:
      return void writeInline(writer, [token])
  }
}

function writeList(writer: Writer, { items, ordered, start }: Tokens.List, depth: number): void {
  for (const [index, { tokens, task, checked }] of items.entries()) {
    const mark = ordered ? `${(start === '' ? 1 : start) + index}. ` : '• '
    writer.write(`${index === 0 ? '' : '\n'}${'  '.repeat(Math.ceil(depth / 2))}${mark}${task ? `[${checked === true ? 'x' : ' '}] ` : ''}`)
    writeBlocks(writer, tokens, depth + 2, '\n')
  }
}

function writeInline(writer: Writer, tokens: readonly Token[]): void {
  for (const token of tokens) writeOne(writer, token)
}

const formats: Readonly<Record<string, Format>> = { strong: { type: 'bold' }, em: { type: 'italic' }, del: { type: 'strikethrough' } }

function writeOne(writer: Writer, token: Token): void {
  const format = formats[token.type]
  const inner = 'tokens' in token && token.tokens !== undefined ? token.tokens : undefined
  if (format !== undefined && inner !== undefined) return void writer.formatted(format, () => writeInline(writer, inner))
  switch (token.type) {
    // The mark of a task stands before its text.
    case 'checkbox':
      return
    case 'br':
      return void writer.write('\n')
    case 'codespan':
      return void writer.formatted({ type: 'code' }, () => writer.write((token as Tokens.Codespan).text))
    case 'escape':
      return void writer.write((token as Tokens.Escape).text)
    case 'link':
    case 'image':
      return void writeLink(writer, token as Tokens.Link | Tokens.Image)
    case 'html':
      return void writer.write(token.raw)
    default:
      return void (inner === undefined
        ? writer.write(characters('text' in token ? String(token.text) : token.raw))
        : writeInline(writer, inner))
  }
}

function writeLink(writer: Writer, token: Tokens.Link | Tokens.Image): void {
  const { href, text } = token
  const content = (): void => {
    if (token.type === 'link' && token.tokens.length > 0) writeInline(writer, token.tokens)
    else writer.write(text === '' ? href : text)
  }
  if (/^https?:\/\/[^\s]{1,1000}$/i.test(href) && URL.canParse(href)) writer.formatted({ type: 'text_link', url: href }, content)
  else if (href.replace(/^mailto:/, '') === text) writer.write(text)
  else {
    content()
    writer.write(` (${href})`)
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Character references of HTML, which Markdown has too; others stay as they were written. */
const characters = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (whole, name: string) => (name === '#39' ? "'" : (named[name] ?? whole)))
