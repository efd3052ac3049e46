import type { FilePattern, PolicyText } from '@agent-service/sdk/contracts/policy-engine'
import { type PolicyJson, policyToJson } from '@cedar-policy/cedar-wasm/nodejs'

/** Thrown for what may look at a path in another way. */
class OtherUse extends Error {}

/** A node of an expression in Cedar's JSON format: one operator with its operands. */
type Node = { readonly [operator: string]: unknown }

/**
 * Every pattern by which policies tell files apart; `undefined` if one of them may look at a path in
 * another way. A path is seen by `like`, by comparison with texts, and as the id of its file.
 */
export function filePatternsOf(policies: readonly PolicyText[]): readonly FilePattern[] | undefined {
  const patterns: FilePattern[] = []
  try {
    for (const { text } of policies) {
      const parsed = policyToJson(text)
      if (parsed.type === 'failure') return undefined
      addPatterns(parsed.json, patterns)
    }
  } catch (error) {
    if (error instanceof OtherUse) return undefined
    throw error
  }
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()]
}

function addPatterns({ action, resource, conditions }: PolicyJson, patterns: FilePattern[]): void {
  // Of another action or another type of resource. Groups of actions may have any in them.
  if (action.op === '==' && 'entity' in action && !fileActions.has(idOf(action.entity))) return
  const scope = resource as unknown as Node
  const type = scope['entity_type'] ?? typeOf(scope['entity'])
  if (type !== undefined && type !== 'File') return
  const inner = scope['in'] as Node | undefined
  for (const entity of [scope['entity'], inner?.['entity']]) if (entity !== undefined) patterns.push([idOf(entity)])
  for (const { body } of conditions) visit(body, patterns)
}

const fileActions = new Set(['read_file', 'write_file'])

function visit(expression: unknown, patterns: FilePattern[]): void {
  if (Array.isArray(expression)) {
    for (const each of expression) visit(each, patterns)
    return
  }
  if (typeof expression !== 'object' || expression === null) return
  const node = expression as Node
  if (isResource(node) || isPath(node)) throw new OtherUse()
  for (const [operator, operands] of Object.entries(node)) visitOperation(operator, operands as Node, patterns)
}

function visitOperation(operator: string, operands: Node, patterns: FilePattern[]): void {
  if (operator === 'Value') return
  const { left, right } = typeof operands === 'object' && operands !== null ? operands : {}
  switch (operator) {
    case 'like':
      if (!isPath(left)) break
      patterns.push(patternOf(operands['pattern']))
      return
    case 'has':
    case '.':
      // Other attributes than the path are the same for all files that are asked about.
      if (isResource(left)) return
      break
    case 'is':
      if (isResource(left) && operands['in'] === undefined) return
      break
    case '==':
    case '!=':
    case 'in': {
      const other = isPath(left) || isResource(left) ? right : isPath(right) || isResource(right) ? left : undefined
      if (other === undefined) break
      for (const text of textsOf(other)) patterns.push([text])
      return
    }
    case 'contains':
      if (!isPath(right) && !isResource(right)) break
      for (const text of textsOf(left)) patterns.push([text])
      return
  }
  visit(operands, patterns)
}

const isResource = (node: unknown): boolean => (node as Node | undefined)?.['Var'] === 'resource'

function isPath(node: unknown): boolean {
  const access = (node as Node | undefined)?.['.'] as Node | undefined
  return access !== undefined && isResource(access['left']) && access['attr'] === 'path'
}

/** The paths that constants name: texts, files, and sets of both. @throws OtherUse for anything else. */
function textsOf(constant: unknown): readonly string[] {
  const { Value: value, Set: members } = (constant ?? {}) as Node
  if (Array.isArray(members)) return members.flatMap(textsOf)
  if (Array.isArray(value)) return value.flatMap((each) => textsOf({ Value: each }))
  if (typeof value === 'string') return [value]
  const entity = (value as Node | null | undefined)?.['__entity']
  if (entity === undefined) throw new OtherUse()
  return typeOf(entity) === 'File' ? [idOf(entity)] : []
}

/** From the letters and wildcards of `like`. */
function patternOf(parts: unknown): FilePattern {
  const texts = ['']
  for (const part of parts as readonly (string | { readonly Literal: string })[]) {
    if (typeof part === 'string') texts.push('')
    else texts.push(`${texts.pop() ?? ''}${part.Literal}`)
  }
  return texts
}

const typeOf = (entity: unknown): unknown => (entity as Node | undefined)?.['type']
const idOf = (entity: unknown): string => String((entity as Node | undefined)?.['id'])
