import { decoded } from './characters.js'
import { element, type MarkupName, type MarkupNode, textOf } from './markup.js'

/** A tag that waits for its other half. */
export interface Tag {
  readonly kind: 'open' | 'close'
  readonly name: MarkupName
  readonly raw: string
}

/** More of them in each other are text. */
const maxOpen = 8

/** Tags without attributes that models and people write in Markdown, and the elements they are. */
const formats: ReadonlyMap<string, MarkupName> = new Map([
  ...(['b', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 's', 'small', 'strong', 'sub', 'sup', 'u'] as const).map(
    (name): [string, MarkupName] => [name, name],
  ),
  ['summary', 'strong'],
])

/**
 * What a tag is: half of an element, a line break, nothing, or text. The cells of a table have no other
 * way to write a list than its tags, and what `details` would fold is always shown.
 */
export function tagNodes(raw: string): readonly (MarkupNode | Tag)[] {
  if (/^<details open(?:="")?>$/i.test(raw)) return []
  const [, slash, written = ''] = /^<(\/?)([a-z]{1,8}) ?\/?>$/i.exec(raw) ?? []
  const name = written.toLowerCase()
  const format = formats.get(name)
  if (format !== undefined) return [{ kind: slash === '/' ? 'close' : 'open', name: format, raw }]
  if (name === 'br') return [element('br', [])]
  if (name === 'li') return slash === '/' ? [] : [element('br', []), '• ']
  if (name === 'ul' || name === 'ol' || name === 'details') return []
  return [raw]
}

interface OpenTag {
  readonly tag: Tag
  /** The nodes before it. */
  readonly before: MarkupNode[]
}

/** Joins tags with what stands between them. A tag without its other half is shown as it was written. */
export function balanced(items: readonly (MarkupNode | Tag)[]): readonly MarkupNode[] {
  const open: OpenTag[] = []
  let nodes: MarkupNode[] = []
  for (const item of items) {
    if (typeof item === 'string' || 'children' in item) nodes.push(item)
    else if (item.kind === 'open' && open.length < maxOpen) {
      open.push({ tag: item, before: nodes })
      nodes = []
    } else {
      const at = item.kind === 'open' ? -1 : open.findLastIndex(({ tag }) => tag.name === item.name)
      const [opening, ...unclosed] = at < 0 ? [] : open.splice(at)
      if (opening === undefined) nodes.push(item.raw)
      else {
        opening.before.push(element(item.name, withoutOpen(unclosed, nodes)))
        nodes = opening.before
      }
    }
  }
  return withoutOpen(open, nodes)
}

/** The nodes of what was opened and never closed, from the outermost on. */
function withoutOpen(open: readonly OpenTag[], innermost: MarkupNode[]): MarkupNode[] {
  let nodes = innermost
  for (const { tag, before } of open.toReversed()) {
    before.push(tag.raw, ...nodes)
    nodes = before
  }
  return nodes
}

/** A block of HTML: its text in its lines, with the tags that are known, and all others as text. */
export function htmlNodes(raw: string): readonly MarkupNode[] {
  const html = raw.trim()
  if (/^<hr ?\/?>$/i.test(html)) return [element('hr', [])]
  const items = html
    .split(/(<[^<>]*>|\n)/)
    .filter((part) => part !== '')
    .flatMap((part) => (part === '\n' ? [element('br', [])] : part.startsWith('<') ? tagNodes(part) : [decoded(part)]))
  const nodes = withoutOuterBreaks(balanced(items))
  return textOf(nodes).trim() === '' ? [] : [element('p', nodes, { dir: 'auto' })]
}

/** Nodes without line breaks before and after all others. */
export function withoutOuterBreaks(nodes: readonly MarkupNode[]): readonly MarkupNode[] {
  const isShown = (node: MarkupNode): boolean => (typeof node === 'string' ? node.trim() !== '' : node.name !== 'br')
  return nodes.slice(Math.max(0, nodes.findIndex(isShown)), nodes.findLastIndex(isShown) + 1)
}
