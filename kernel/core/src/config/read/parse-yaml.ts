import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import { Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, Parser } from 'yaml'
import { formatPath, pathKey, type ValuePath } from '../schema/dotted-path.js'
import { isObject } from '../schema/schema-node.js'

const maxDepth = 64
const maxNodes = 100_000

export interface ParsedYaml {
  readonly value: JsonObject
  /**
   * `line:column`, both from 1, of the key or the value at a path, else of the nearest place above
   * it.
   */
  positionOf(path: ValuePath, which: 'key' | 'value'): string | undefined
  /** `line:column` of an offset. */
  placeAt(offset: number): string
}

/**
 * Reads one YAML 1.2 document (core schema) as JSON. Aliases are followed within limits; merge keys
 * are not.
 */
export function parseYaml(text: string): ParsedYaml | { readonly problems: readonly Problem[] } {
  const lines = new LineCounter()
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${line}:${col}`
  }
  // The tokens are read once, for both uses.
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  const deep = tooDeepAt(tokens, maxDepth)
  if (deep !== undefined) return { problems: [{ path: '', message: `is nested more than ${maxDepth} levels deep (${place(deep)})` }] }
  const composer = new Composer({
    version: '1.2',
    uniqueKeys: true,
    stringKeys: true,
    strict: true,
    prettyErrors: false,
    lineCounter: lines,
  })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (document === undefined) throw new Error('The parser returned no document.')
  const faults = [...document.errors, ...document.warnings, ...(second ? [secondDocument(second)] : [])]
  if (faults.length > 0)
    // One mistake causes many more errors, and the parser's quotes from the file may contain a
    // secret.
    return { problems: faults.slice(0, 3).map((fault) => ({ path: '', message: `${explain(fault, text)} (${place(fault.pos[0])})` })) }

  const reader = createReader(document, place)
  const value = reader.read(document.contents, [], 0) ?? {}
  if (reader.problems.length > 0) return { problems: reader.problems.slice(0, 100) }
  if (!isObject(value)) return { problems: [{ path: '', message: 'must contain sections such as `server:` (1:1)' }] }
  return { value, positionOf: reader.positionOf, placeAt: place }
}

const secondDocument = ({ range }: Document.Parsed) => ({ code: 'MULTIPLE_DOCS', message: '', pos: [range[0], range[1]] as const })

const explanations: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab indents this line; YAML takes spaces only',
  DUPLICATE_KEY: 'this key is here twice',
  MULTIPLE_DOCS: 'a second document begins here (`---`); the configuration must be one document',
  NON_STRING_KEY: 'a key must be text; put it in quotes',
  TAG_RESOLVE_FAILED: 'a tag (`!…`) is not supported here',
}

/** The problem, without a quote from the file: it may be a secret. */
function explain(
  fault: { readonly code: string; readonly message: string; readonly pos: readonly [number, number] },
  text: string,
): string {
  const [at] = fault.pos
  if (text.slice(at - 1, at + 1) === '${') return 'a ${NAME} reference needs quotes between braces or brackets: "${NAME}"'
  return explanations[fault.code] ?? `not valid YAML: ${(fault.message.split('\n')[0] ?? '').replace(/:? ["`].*$/, '')}`
}

function createReader(document: Document, place: (offset: number) => string) {
  const positions = new Map<string, { readonly key: number | undefined; readonly value: number | undefined }>()
  const problems: Problem[] = []
  let nodes = 0

  const refuse = (path: ValuePath, node: Node | null | undefined, message: string): undefined => {
    problems.push({ path: formatPath(path), message: node?.range ? `${message} (${place(node.range[0])})` : message })
    return undefined
  }

  const read = (node: unknown, path: ValuePath, depth: number): JsonValue | undefined => {
    if (node === null || node === undefined) return depth === 0 ? undefined : null
    if (problems.length > 0 && nodes > maxNodes) return undefined
    const known = node as Node
    if (++nodes > maxNodes) return refuse(path, known, `has more than ${maxNodes} values with aliases followed`)
    if (depth > maxDepth)
      return refuse(path, known, `is nested more than ${maxDepth} levels deep with aliases followed, or contains itself`)
    if (isAlias(node)) {
      const target = node.resolve(document)
      return target === undefined ? refuse(path, known, `the anchor “${node.source}” does not exist`) : read(target, path, depth + 1)
    }
    if (isScalar(node)) return readScalar(node.value, path, known)
    if (isSeq(node)) return node.items.map((item, index) => readAt(item, item, [...path, index], depth) ?? null)
    if (isMap(node)) return readMap(node.items, path, depth)
    return refuse(path, known, 'is not a value that the configuration supports')
  }

  const readMap = (items: readonly { readonly key: unknown; readonly value: unknown }[], path: ValuePath, depth: number): JsonObject => {
    const members: [string, JsonValue][] = []
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value) : String(key)
      if (name === '__proto__') refuse([...path, name], key as Node, 'is not an allowed key')
      else members.push([name, readAt(key, value, [...path, name], depth) ?? null])
    }
    return Object.fromEntries(members)
  }

  const readAt = (key: unknown, value: unknown, path: ValuePath, depth: number): JsonValue | undefined => {
    const keyOffset = offsetOf(key)
    positions.set(pathKey(path), { key: keyOffset, value: offsetOf(value) ?? keyOffset })
    return read(value, path, depth + 1)
  }

  const offsetOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

  const readScalar = (value: unknown, path: ValuePath, node: Node): JsonValue | undefined => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    return refuse(path, node, 'is not a number, text, true or false')
  }

  return {
    problems,
    read,
    positionOf: (path: ValuePath, which: 'key' | 'value'): string | undefined => {
      for (let length = path.length; length > 0; length--) {
        const found = positions.get(pathKey(path.slice(0, length)))
        if (!found) continue
        const offset = length === path.length ? found[which] : found.key
        return offset === undefined ? undefined : place(offset)
      }
      return undefined
    },
  }
}

/**
 * The offset of the first value nested deeper than `limit`, or `undefined`. Reads only tokens, with
 * a stack of its own: composing a document is recursive, and a stack overflow there can end the
 * process.
 */
function tooDeepAt(tokens: readonly CST.Token[], limit: number): number | undefined {
  const pending: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { token, depth } = next
    if (depth > limit) return token.offset
    if (token.type === 'document' && token.value) pending.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) pending.push({ token: key, depth: depth + 1 })
      if (value) pending.push({ token: value, depth: depth + 1 })
    }
  }
  return undefined
}
