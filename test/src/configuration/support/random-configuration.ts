import type { JsonObject, JsonValue } from '@agent-service/sdk'
import fc from 'fast-check'
import { type FieldCase, fileOf, variableOf } from './field-cases.js'
import { acceptedValue, variableText } from './field-values.js'
import { choicesOf, typeOf } from './schema-fields.js'

/** A configuration, and one way to say it by file and environment together. */
export interface SplitConfiguration {
  readonly whole: JsonObject
  readonly file: JsonObject
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Any selection of the fields, each with any value of its type, said in any split. What the rules
 * refuse is among them.
 */
export function splitConfigurations(cases: readonly FieldCase[]): fc.Arbitrary<SplitConfiguration> {
  return fc
    .subarray([...cases], { maxLength: 60 })
    .chain((chosen) => fc.tuple(...chosen.map((field) => valuesOf(field).map((value) => [field, value] as const))))
    .chain((entries) => {
      const values = new Map<FieldCase, JsonValue>(entries)
      const whole = fileOf([...values.keys()], (field) => values.get(field))
      return fc.infiniteStream(fc.constantFrom<Turn>('deeper', 'deeper', 'deeper', 'file', 'variable')).map((turns) => ({
        whole,
        ...split(whole, () => turns.next().value ?? 'file'),
      }))
    })
}

/**
 * Where a value goes: whole into the file, whole into one variable, or each of its members by
 * itself.
 */
type Turn = 'file' | 'variable' | 'deeper'

function split(whole: JsonObject, turn: () => Turn): Omit<SplitConfiguration, 'whole'> {
  const environment: Record<string, string> = {}
  const visit = (value: JsonValue, path: readonly string[]): JsonValue | undefined => {
    const wanted = path.length === 0 ? 'deeper' : turn()
    if (wanted === 'deeper' && isObject(value) && path.at(-1) !== 'extra_params' && path.at(-1) !== 'settings') {
      const kept = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JsonValue])[] => {
        const inFile = visit(member, [...path, name])
        return inFile === undefined ? [] : [[name, inFile]]
      })
      return Object.fromEntries(kept)
    }
    if (wanted === 'file') return value
    environment[variableOf(path)] = variableText(value)
    return undefined
  }
  return { file: visit(whole, []) as JsonObject, environment }
}

const isObject = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * References work in the file alone, and an empty text is nothing: neither belongs to what a split
 * must not change.
 */
const texts = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => !/[$\0]/.test(text))

function valuesOf({ name, node }: FieldCase): fc.Arbitrary<JsonValue> {
  const choices = choicesOf(node)
  if (choices) return fc.constantFrom(...choices.map(String))
  const minimum = node.minimum ?? node.exclusiveMinimum ?? -1000
  const maximum = Math.min(node.maximum ?? 100_000, Math.max(minimum, 0) + 100_000)
  switch (typeOf(node)) {
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'float':
      return fc.integer({ min: 1, max: 1000 }).map((part) => minimum + ((maximum - minimum) * part) / 1000)
    case 'boolean':
      return fc.boolean()
    case 'string':
      return node.format === undefined && node.pattern === undefined ? texts : fc.constant(acceptedValue(name, node))
    case 'list of strings':
      return name === 'plugins.sources' ? fc.constant(acceptedValue(name, node)) : fc.uniqueArray(texts, { maxLength: 3 })
    default:
      return fc.constant(acceptedValue(name, node))
  }
}
