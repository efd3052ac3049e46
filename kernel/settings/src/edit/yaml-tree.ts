import { CST, Parser } from 'yaml'

/** A YAML text as the tokens of the parser: unchanged tokens are written as they were read. */
export interface YamlTree {
  readonly tokens: readonly CST.Token[]
  readonly document: CST.Document | undefined
  /** The line ending of new lines: the first of the text. */
  readonly ending: string
  /** The indentation of a level in spaces: that of the first nested block, else two. */
  readonly step: number
}

/** A map of the text. */
export type MapToken = CST.BlockMap | CST.FlowCollection

/** A member of a map: one that has a key. */
export interface Member {
  start: CST.SourceToken[]
  readonly key: CST.Token
  sep?: CST.SourceToken[]
  value?: CST.Token
}

export function readTree(text: string): YamlTree {
  const tokens = [...new Parser().parse(text)]
  const document = tokens.find((token): token is CST.Document => token.type === 'document')
  const root = document?.value
  const left = settle(root)
  if (document && left.length > 0) document.end = [...left, ...(document.end ?? [])]
  const nested = root?.type === 'block-map' ? root.items.find(({ value }) => value?.type === 'block-map')?.value : undefined
  const step = nested?.type === 'block-map' && root?.type === 'block-map' ? nested.indent - root.indent : 2
  return { tokens, document, ending: /\r?\n/.exec(text)?.[0] ?? '\n', step: Math.max(step, 1) }
}

export const writeTree = ({ tokens }: YamlTree): string => tokens.map((token) => CST.stringify(token)).join('')

/** Text to insert between the tokens as it is. */
export const raw = (source: string): CST.SourceToken => ({ type: 'space', offset: -1, indent: -1, source })

/** True for tokens of {@link raw}. */
export const isAdded = ({ offset }: CST.SourceToken): boolean => offset < 0

/** Inserts text before tokens, after text that was inserted earlier. */
export function behindAdded(tokens: readonly CST.SourceToken[], text: CST.SourceToken): readonly CST.SourceToken[] {
  const first = tokens.findIndex((token) => !isAdded(token))
  return first < 0 ? [...tokens, text] : [...tokens.slice(0, first), text, ...tokens.slice(first)]
}

export const isMapToken = (token: CST.Token | null | undefined): token is MapToken =>
  token?.type === 'block-map' || (token?.type === 'flow-collection' && token.start.source === '{')

export const membersOf = (map: MapToken): readonly Member[] =>
  (map.items as readonly Partial<Member>[]).filter((item): item is Member => item.key !== undefined && item.key !== null)

/** The name of a member; `undefined` for a key that is not text. */
export const nameOf = ({ key }: Member): string | undefined => CST.resolveAsScalar(key, false, () => undefined)?.value

/** The text of the first token of a type: an anchor, a tag. */
export const sourceOf = (tokens: readonly CST.SourceToken[] | undefined, type: CST.SourceToken['type']): string | undefined =>
  tokens?.find((token) => token.type === type)?.source

/** The anchor of a value (`&x`) if an alias uses it. */
export function usedAnchor({ document }: YamlTree, before: readonly CST.SourceToken[] | undefined): string | undefined {
  const anchor = sourceOf(before, 'anchor')
  if (anchor === undefined || document === undefined) return undefined
  let used = false
  CST.visit(document, ({ key, value }) => {
    used ||= [key, value].some((token) => token?.type === 'alias' && token.source.slice(1) === anchor.slice(1))
    return used ? CST.visit.BREAK : undefined
  })
  return used ? anchor : undefined
}

/** True if a value is absent, or is the empty text between a colon and a comma. */
export const isEmpty = (token: CST.Token | null | undefined): boolean =>
  token === undefined || token === null || (token.type === 'scalar' && token.source === '')

/**
 * Splits tokens after the first or last of a type; without one, all tokens are in the second part.
 */
export function splitBehind(
  tokens: readonly CST.SourceToken[],
  type: 'newline',
  which: 'first' | 'last',
): readonly [CST.SourceToken[], CST.SourceToken[]] {
  const is = (token: CST.SourceToken): boolean => token.type === type
  const index = which === 'first' ? tokens.findIndex(is) : tokens.findLastIndex(is)
  return [tokens.slice(0, index + 1), tokens.slice(index + 1)]
}

/**
 * Splits the tokens between a key and its value after the colon, anchor and tag; without a colon,
 * all are in the second part.
 */
export function splitHeader(separator: readonly CST.SourceToken[] = []): readonly [CST.SourceToken[], CST.SourceToken[]] {
  const index = separator.findLastIndex(({ type }) => type === 'map-value-ind' || type === 'anchor' || type === 'tag')
  return [separator.slice(0, index + 1), separator.slice(index + 1)]
}

/**
 * The parser attaches comments, blank lines and indentation to the preceding token. Moves them so
 * that each item of a block has its own lines, from the end of the previous line. Returns the
 * tokens after the last line.
 */
function settle(token: CST.Token | undefined): CST.SourceToken[] {
  if (token?.type === 'block-map' || token?.type === 'block-seq') {
    let left: CST.SourceToken[] = []
    for (const item of token.items) {
      item.start.unshift(...left)
      left = item.key || item.value || sourceOf(item.start, 'seq-item-ind') !== undefined ? settleItem(item) : item.start.splice(0)
    }
    return left
  }
  if (!token || !('end' in token) || !token.end || token.type === 'document') return []
  const [line, below] = splitBehind(token.end, 'newline', 'first')
  if (line.length > 0) token.end = line
  return line.length > 0 ? below : []
}

function settleItem(item: CST.CollectionItem): CST.SourceToken[] {
  const { sep = [], value } = item
  if (value?.type === 'block-map' || value?.type === 'block-seq') {
    const [indentation] = sep.at(-1)?.type === 'space' && sep.at(-2)?.type === 'newline' ? sep.splice(-1) : []
    if (indentation) value.items[0]?.start.unshift(indentation)
  }
  if (value) return settle(value)
  const [line, below] = splitBehind(sep, 'newline', 'first')
  if (line.length === 0) return []
  item.sep = line
  return below
}
