import type { JsonValue } from '@agent-service/sdk'
import { suggestion } from '@agent-service/sdk/host'
import type { ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { choicesOf, isObject, own, type SchemaNode, takesAnything } from '../schema/schema-node.js'
import { checkObject } from './check-object.js'
import type { CheckOptions } from './check-options.js'
import { checkNumber, checkText } from './check-scalar.js'

/** Everything that is wrong with a value, by a schema. Never shows a secret. */
export function checkValue(node: SchemaNode, value: JsonValue, options: CheckOptions, path: ValuePath = []): readonly Finding[] {
  if (takesAnything(node)) return []
  const isShown = (): boolean => !node['x-secret'] && options.showable(path)
  const expected = (what: string): readonly Finding[] => [{ path, message: `expected ${what}, found ${describe(value, isShown())}` }]
  const choices = choicesOf(node)
  if (choices?.includes(value)) return []
  const planned = typeof value === 'string' ? own(node['x-planned'], value) : undefined
  if (planned !== undefined) return [{ path, message: `“${value}” ${planned}` }]
  if (choices) return expected(choiceText(choices, value, isShown()))
  if (node.anyOf) return checkUnion(node, node.anyOf, value, options, path)
  switch (node.type) {
    case 'object':
      return isObject(value) ? checkObject(node, value, options, path, checkValue) : expected('an object')
    case 'array':
      return Array.isArray(value) ? checkArray(node, value, options, path) : expected('a list')
    case 'string':
      if (typeof value !== 'string') return expected(typeof value === 'number' ? 'text (put it in quotes)' : 'text')
      return checkText(node, value).flatMap((fault) =>
        'expected' in fault ? expected(fault.expected) : [{ path, message: fault.message }],
      )
    case 'boolean':
      return typeof value === 'boolean' ? [] : expected('true or false')
    case 'null':
      return value === null ? [] : expected('null')
    default:
      return checkNumber(node, value).flatMap(expected)
  }
}

function choiceText(choices: readonly JsonValue[], value: JsonValue, shown: boolean): string {
  const known = choices.map((choice) => `“${String(choice)}”`).join(', ')
  const near = typeof value === 'string' && shown ? suggestion(value, choices.map(String)) : ''
  return `${choices.length === 1 ? '' : 'one of '}${known}${near === '' ? '' : ` (${near.slice(2)})`}`
}

function checkArray(node: SchemaNode, value: readonly JsonValue[], options: CheckOptions, path: ValuePath): readonly Finding[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node
  const findings: Finding[] = []
  if (value.length < minItems) findings.push({ path, message: `expected at least ${minItems} entries, found ${value.length}` })
  if (value.length > maxItems) findings.push({ path, message: `expected at most ${maxItems} entries, found ${value.length}` })
  const seen = new Set<string>()
  value.forEach((item, index) => {
    const text = JSON.stringify(item)
    if (node.uniqueItems && seen.has(text)) findings.push({ path: [...path, index], message: 'stands in this list twice' })
    seen.add(text)
    findings.push(...checkValue(node.items ?? {}, item, options, [...path, index]))
  })
  return findings
}

/** The faults of the variant that the value comes nearest to: one of its own kind, with the fewest faults. */
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
  const ofKind = results.filter((result) => result.ofKind)
  const sorted = (ofKind.length > 0 ? ofKind : results).sort((left, right) => left.findings.length - right.findings.length)
  return results.some(({ findings }) => findings.length === 0) ? [] : (sorted[0]?.findings ?? [])
}

const kindOf = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** The value in a few words; its text only where it may be shown. */
function describe(value: JsonValue, shown: boolean): string {
  if (value === null) return 'nothing (give it a value, or remove the line)'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  if (value === '') return 'empty text'
  const kind = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'the number' : 'the word'
  if (!shown) return typeof value === 'string' ? 'other text' : `a ${typeof value}`
  if (typeof value !== 'string') return `${kind} ${value}`
  return `${kind} “${value.length > 60 ? `${value.slice(0, 60)}…` : value}”`
}
