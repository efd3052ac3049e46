import type { Token, Tokens } from 'marked'
import { directionOf } from './characters.js'
import { checkbox, inlineNodes } from './inlines.js'
import { element, fenceInfo, type MarkupElement, type MarkupName, type MarkupNode, textOf } from './markup.js'
import { mathsNode } from './maths.js'
import { type BlockOptions, maxDepth } from './options.js'
import { htmlNodes, withoutOuterBreaks } from './tags.js'

const headings = ['h3', 'h4', 'h5', 'h6'] as const satisfies readonly MarkupName[]

/** The nodes of blocks. The first two levels of headings are the page's. */
export function blockNodes(tokens: readonly Token[], options: BlockOptions, depth = 0): readonly MarkupNode[] {
  if (depth > maxDepth) return tokens.map(({ raw }) => raw)
  return tokens.flatMap((token) => nodesOf(token as Tokens.Generic, options, depth + 1))
}

/** A text in its lines, as it was written. */
export const writtenNode = (text: string): MarkupElement =>
  element(
    'p',
    text
      .trim()
      .split('\n')
      .flatMap((line, index) => (index === 0 ? [line] : [element('br', []), line])),
    { dir: 'auto' },
  )

/**
 * A block of code; its class names the language if the information of its fence begins with one. What
 * the information has beside that, such as the name of a file, is kept in `data-info`.
 */
export function codeNode(text: string, info: string): MarkupElement {
  const [, language] = /^([A-Za-z0-9][\w+#.-]{0,31})(?![^\s{:,;])/.exec(info) ?? []
  const attributes = {
    class: language && `language-${language}`,
    'data-info': info !== language && fenceInfo.test(info) ? info : undefined,
  }
  return element('pre', [element('code', [`${text.replace(/\n$/, '')}\n`], attributes)])
}

function nodesOf(token: Tokens.Generic, options: BlockOptions, depth: number): readonly MarkupNode[] {
  const inline = (): readonly MarkupNode[] => inlineNodes(token.tokens ?? [], options, depth)
  switch (token.type) {
    case 'space':
      return []
    case 'def':
      return options.isUsed(String(token['tag'])) ? [] : [writtenNode(token.raw)]
    case 'hr':
      return [element('hr', [])]
    case 'heading':
      return [element(headings[Number(token['depth']) - 1] ?? 'h6', inline(), { dir: 'auto' })]
    case 'code':
      return [codeNode(String(token['text']), String(token['lang'] ?? ''))]
    case 'blockquote':
      return [directed('blockquote', blockNodes(token.tokens ?? [], options, depth))]
    case 'list':
      return [listNode(token as Tokens.List, options, depth)]
    case 'table':
      return [tableNode(token as Tokens.Table, options, depth)]
    case 'paragraph':
      return [element('p', inline(), { dir: 'auto' })]
    case 'text':
      return token.tokens ? inline() : [String(token['text'])]
    case 'checkbox':
      return [checkbox(token)]
    case 'footnote': {
      const isTaken = options.notes?.define(String(token['label']), blockNodes(token.tokens ?? [], options, depth)) === true
      return isTaken ? [] : [writtenNode(token.raw)]
    }
    case 'mathsBlock':
      return [element('p', [mathsNode(token)])]
    case 'html':
      return htmlNodes(token.raw)
    default:
      return [writtenNode(token.raw)]
  }
}

/** An element whose sides follow its text. Its items and cells then agree with it. */
const directed = (
  name: MarkupName,
  children: readonly MarkupNode[],
  attributes: Readonly<Record<string, string | undefined>> = {},
): MarkupElement => element(name, children, { ...attributes, dir: directionOf(textOf(children)) })

function listNode({ ordered, start, items }: Tokens.List, options: BlockOptions, depth: number): MarkupElement {
  const entries = items.map(({ tokens }) => element('li', blockNodes(tokens, options, depth)))
  const first = ordered && typeof start === 'number' && start !== 1 ? String(start) : undefined
  return directed(ordered ? 'ol' : 'ul', entries, { start: first })
}

function tableNode({ header, rows, align }: Tokens.Table, options: BlockOptions, depth: number): MarkupElement {
  const row = (cells: readonly Tokens.TableCell[], name: 'td' | 'th'): MarkupElement =>
    element(
      'tr',
      cells.map(({ tokens }, column) =>
        element(name, withoutOuterBreaks(inlineNodes(tokens, options, depth)), { dir: 'auto', align: align[column] ?? undefined }),
      ),
    )
  const head = element('thead', [row(header, 'th')])
  const body = rows.map((cells) => row(cells, 'td'))
  return directed('table', body.length === 0 ? [head] : [head, element('tbody', body)])
}
