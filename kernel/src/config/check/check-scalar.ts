import type { JsonValue } from '@agent-service/sdk'
import { patternOf, type SchemaNode } from '../schema/schema-node.js'
import { formatFault } from './formats.js'

/** What a number should have been; empty when it holds. */
export function checkNumber(node: SchemaNode, value: JsonValue): readonly string[] {
  const kind = node.type === 'integer' ? 'an integer' : 'a number'
  if (typeof value !== 'number' || !Number.isFinite(value)) return [kind]
  if (node.type === 'integer' && !Number.isSafeInteger(value)) return [kind]
  if (holds(node, value)) return []
  const bounds = (
    [
      ['at least', node.minimum, (bound: number) => value >= bound],
      ['over', node.exclusiveMinimum, (bound: number) => value > bound],
      ['at most', node.maximum, (bound: number) => value <= bound],
      ['under', node.exclusiveMaximum, (bound: number) => value < bound],
    ] as const
  ).flatMap(([words, bound, holds]) => (bound === undefined ? [] : [{ text: `${words} ${bound}`, holds: holds(bound) }]))
  const faults: string[] = []
  const unit = node['x-unit'] ? ` ${node['x-unit']}` : ''
  if (bounds.some(({ holds }) => !holds)) faults.push(`${kind}, ${bounds.map(({ text }) => text).join(' and ')}${unit}`)
  if (node.multipleOf !== undefined && value % node.multipleOf !== 0) faults.push(`a multiple of ${node.multipleOf}`)
  return faults
}

/** Almost every number holds, and then needs no words. */
function holds(node: SchemaNode, value: number): boolean {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = node
  return (
    !(minimum !== undefined && value < minimum) &&
    !(exclusiveMinimum !== undefined && value <= exclusiveMinimum) &&
    !(maximum !== undefined && value > maximum) &&
    !(exclusiveMaximum !== undefined && value >= exclusiveMaximum) &&
    !(multipleOf !== undefined && value % multipleOf !== 0)
  )
}

/** What is wrong with a text: what was expected in its place, or a sentence about it. */
export function checkText(node: SchemaNode, value: string): readonly ({ readonly expected: string } | { readonly message: string })[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = node
  if (value.length < minLength)
    return [{ expected: minLength === 1 ? 'text that is not empty' : `text of at least ${minLength} characters` }]
  const fault = format === undefined ? undefined : formatFault(format, value)
  return [
    ...(value.length > maxLength ? [{ expected: `text of at most ${maxLength} characters` }] : []),
    ...(pattern !== undefined && !patternOf(pattern).test(value) ? [{ expected: `text that matches ${pattern}` }] : []),
    ...(fault === undefined ? [] : [{ message: fault }]),
  ]
}
