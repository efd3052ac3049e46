import type { MarkupElement, MarkupNode, markdownMarkup } from '@agent-service/sdk/markdown'

/** What is said in place of what cannot be read. */
interface SpokenWords {
  readonly code: (lines: number) => string
  readonly formula: string
}

/** Longer texts are read up to here, as far as the chat formats them. */
const maxRead = 100_000

/** Elements that end what was said before them. */
const blocks: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 li ul ol blockquote pre table thead tbody tr hr div details summary section'.split(' '),
)

/**
 * The words of a Markdown text, block by block: without marks, addresses and emoji; code and what cannot be read of
 * formulas is named, links are read by their text, tables row by row. `parse` is the parser of the kit, which is in the page already.
 */
export function spokenBlocks(markdown: string, words: SpokenWords, parse: typeof markdownMarkup): readonly string[] {
  const spoken: string[] = []
  let open = ''
  const end = (): void => {
    const text = speakable(open)
    if (/[\p{L}\p{N}]/u.test(text)) spoken.push(text)
    open = ''
  }
  const read = (node: MarkupNode): void => {
    if (typeof node === 'string') {
      open += node
      return
    }
    const instead = insteadOf(node, words)
    const isBlock = blocks.has(node.name)
    if (isBlock) end()
    if (instead !== undefined) open += instead
    else if (node.name === 'tr')
      open += node.children
        .map((cell) => speakable(wordsOf(cell, words)))
        .filter(Boolean)
        .join(', ')
    else for (const child of node.children) read(child)
    if (isBlock) end()
  }
  const options = { breaks: true, maths: true, footnotes: 'read' }
  for (const nodes of parse(markdown.slice(0, maxRead), options)) for (const node of nodes) read(node)
  end()
  return spoken
}

/** What is said for an element in place of what is in it. */
function insteadOf(node: MarkupElement, words: SpokenWords): string | undefined {
  const { name, attributes } = node
  if (name === 'br') return '\n'
  if (name === 'pre') return words.code(plainOf(node).replace(/\n$/, '').split('\n').length)
  if (attributes['class']?.startsWith('math-')) {
    const source = plainOf(node).trim()
    return /^[\p{L}\p{N}\s=+.,%<>]{1,40}$/u.test(source) ? source : words.formula
  }
  // Marks of footnotes, and the ways back from them.
  if (name === 'a' && attributes['href']?.startsWith('#')) return ''
  if (name === 'a') return nameOfAddress(plainOf(node).trim())
  return undefined
}

const plainOf = (node: MarkupNode): string => (typeof node === 'string' ? node : node.children.map(plainOf).join(''))

const wordsOf = (node: MarkupNode, words: SpokenWords): string =>
  typeof node === 'string' ? node : (insteadOf(node, words) ?? node.children.map((child) => wordsOf(child, words)).join(''))

/** An address by its host; another text of a link as it is. */
function nameOfAddress(text: string): string | undefined {
  if (!/^(https?:\/\/|www\.)\S+$/i.test(text)) return undefined
  return URL.parse(text.includes('://') ? text : `https://${text}`)?.hostname.replace(/^www\./, '')
}

const emoji =
  /(\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Regional_Indicator}|[#*\d]\uFE0F?\u20E3)(?:\p{Emoji_Modifier}|\uFE0F|\u200D)*/gu

/** Addresses in a running text are read by their host, too; nothing is read of emoji, ticks and lines. */
const speakable = (text: string): string =>
  text
    .replace(/https?:\/\/[^\s<>"]+/gi, (address) => nameOfAddress(address) ?? '')
    .replace(emoji, ' ')
    .replace(/[☐☑✓✔✗✘•→←↩■▪●]/gu, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .trim()

/** The sentences of blocks, each short enough for engines that stop in longer ones. */
export function sentencesOf(texts: readonly string[], language: string, maxLength: number): readonly string[] {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' })
  return texts
    .flatMap((text) => text.split('\n'))
    .flatMap((text) => [...sentences.segment(text)].map(({ segment }) => segment.trim()))
    .flatMap((sentence) => shortened(sentence, maxLength))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Cuts behind the last mark or space of what fits, in a text without them behind a whole character. */
function shortened(sentence: string, maxLength: number): readonly string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > maxLength) {
    const part = rest.slice(0, maxLength)
    const mark = Math.max(...[...part.matchAll(/[,;:–—、，؛،)]\s?/g)].map(({ index, 0: mark }) => index + mark.length), 0)
    const space = part.lastIndexOf(' ') + 1
    const isSplit = /[\uD800-\uDBFF]$/.test(part)
    const at = mark > maxLength / 3 ? mark : space > 0 ? space : isSplit ? maxLength - 1 : maxLength
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at)
  }
  return [...pieces, rest.trim()].filter((piece) => piece !== '')
}
