import type { Token, Tokens } from 'marked'
import { decoded } from './characters.js'
import { linkNodes } from './links.js'
import { element, type MarkupNode } from './markup.js'
import { mathsNode } from './maths.js'
import { type BlockOptions, maxDepth } from './options.js'
import { balanced, type Tag, tagNodes } from './tags.js'

/** The mark of an item that is to be done, or is done. */
export const checkbox = (token: Tokens.Generic): string => (token['checked'] === true ? '☑ ' : '☐ ')

/** The nodes of a text within a block. */
export function inlineNodes(tokens: readonly Token[], options: BlockOptions, depth: number): readonly MarkupNode[] {
  if (depth > maxDepth) return tokens.map(({ raw }) => raw)
  return balanced(tokens.flatMap((token) => nodesOf(token as Tokens.Generic, options, depth + 1)))
}

function nodesOf(token: Tokens.Generic, options: BlockOptions, depth: number): readonly (MarkupNode | Tag)[] {
  const inline = (): readonly MarkupNode[] => inlineNodes(token.tokens ?? [], options, depth)
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [element(token.type, inline())]
    case 'codespan':
      return [element('code', [String(token['text'])], { dir: 'auto' })]
    case 'br':
      return [element('br', [])]
    case 'checkbox':
      return [checkbox(token)]
    case 'link':
      return linkNodes(String(token['href']), inline(), options)
    case 'image':
      return linkNodes(String(token['href']), [decoded(String(token['text']))], options)
    case 'maths':
      return [mathsNode(token)]
    case 'footnoteReference':
      return [options.notes?.referenceTo(String(token['label'])) ?? token.raw]
    case 'html':
      return tagNodes(token.raw)
    case 'text':
      return token.tokens ? inline() : [decoded(String(token['text']))]
    case 'escape':
      return [String(token['text'])]
    default:
      return [token.raw]
  }
}
