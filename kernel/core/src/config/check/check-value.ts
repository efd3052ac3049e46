import { type JsonValue, type TSchema, validate } from '@agent-service/sdk'
import { suggestion } from '@agent-service/sdk/host'
import { Check } from 'typebox/schema'
import type { ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { choicesOf, isObject, own, type SchemaNode, takesAnything } from '../schema/schema-node.js'
import { type CheckOptions, checkObject } from './check-object.js'
import { formatFault } from './formats.js'

/** All problems of a value by a schema. Never shows a secret. */
export function checkValue(node: SchemaNode, value: JsonValue, options: CheckOptions, path: ValuePath = []): readonly Finding[] {
  if (takesAnything(node)) return []
  const isShown = !node['x-secret'] && options.showable(path)
  const refuse = (words: string): readonly Finding[] => [{ path, message: `${words}, found ${describe(value, isShown)}` }]
  const choices = choicesOf(node)
  if (choices?.includes(value)) return []
  const planned = typeof value === 'string' ? own(node['x-planned'], value) : undefined
  if (planned !== undefined) return [{ path, message: `“${value}” ${planned}` }]
  if (choices) return refuse(choiceWords(choices, value, isShown))
  if (node.anyOf) return checkUnion(node, node.anyOf, value, options, path)
  if (node.type === 'object' && isObject(value)) return checkObject(node, value, options, path, checkValue)
  const fault = typeof value === 'string' && node.format !== undefined ? formatFault(node.format, value) : undefined
  const words = wordsFor(node, value)
  if (words !== undefined) return refuse(words)
  if (fault !== undefined) return [{ path, message: fault }]
  if (!Array.isArray(value)) return []
  return value.flatMap((item: JsonValue, index) => checkValue(node.items ?? {}, item, options, [...path, index]))
}

/**
 * The requirement of the schema that the value does not meet, members apart; `undefined` if it
 * meets all.
 */
function wordsFor({ items: _items, ...node }: SchemaNode, value: JsonValue): string | undefined {
  const isSafe = node.type !== 'integer' || typeof value !== 'number' || Number.isSafeInteger(Math.trunc(value))
  if (isSafe && Check(node as TSchema, value)) return undefined
  const [problem] = validate(node as TSchema, value)
  const words = problem?.message ?? 'must be a number that JSON represents exactly'
  if (node.type === 'string' && typeof value === 'number') return `${words} (put it in quotes)`
  return typeof value === 'number' && node['x-unit'] !== undefined && /\d$/.test(words) ? `${words} ${node['x-unit']}` : words
}

function choiceWords(choices: readonly JsonValue[], value: JsonValue, isShown: boolean): string {
  const known = choices.map((choice) => `“${String(choice)}”`).join(', ')
  const near = typeof value === 'string' && isShown ? suggestion(value, choices.map(String)) : ''
  return `must be ${choices.length === 1 ? '' : 'one of '}${known}${near === '' ? '' : ` (${near.slice(2)})`}`
}

/** The problems of the nearest variant: one of the value's own kind, with the fewest problems. */
function checkUnion(
  node: SchemaNode,
  variants: readonly SchemaNode[],
  value: JsonValue,
  options: CheckOptions,
  path: ValuePath,
): readonly Finding[] {
  const results = variants.map((variant) => ({
    ofKind: kindOf(value) === (variant.type ?? '').replace('integer', 'number'),
    findings: checkValue(node['x-secret'] ? { ...variant, 'x-secret': true } : variant, value, options, path),
  }))
  if (results.some(({ findings }) => findings.length === 0)) return []
  const ofKind = results.filter((result) => result.ofKind)
  const [nearest] = (ofKind.length > 0 ? ofKind : results).sort((left, right) => left.findings.length - right.findings.length)
  return nearest?.findings ?? []
}

const kindOf = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** The value in a few words; its text only if it may be shown. */
function describe(value: JsonValue, isShown: boolean): string {
  if (value === null) return 'nothing (give it a value, or remove the line)'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  if (value === '') return 'empty text'
  if (!isShown) return typeof value === 'string' ? 'other text' : `a ${typeof value}`
  if (typeof value !== 'string') return `${typeof value === 'number' ? 'the number' : 'the word'} ${value}`
  return `text “${value.length > 60 ? `${value.slice(0, 60)}…` : value}”`
}
