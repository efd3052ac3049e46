import type { JsonValue } from '@agent-service/sdk'
import { choicesOf, type SchemaNode, takesAnything } from '../schema/schema-node.js'

/** The value of a text by a field's type, or a description of the expected text. */
export type Converted = { readonly value: JsonValue } | { readonly expected: string }

/**
 * Reads a text as the schema's type: the value of an environment variable, or of a string in which
 * a reference was replaced.
 */
export function convertText(node: SchemaNode, text: string): Converted {
  const choices = choicesOf(node)
  if (choices) {
    const chosen = choices.find((choice) => String(choice) === text.trim())
    return { value: chosen === undefined ? text : chosen }
  }
  if (node.anyOf) return firstOf(node.anyOf, text)
  if (takesAnything(node)) {
    const parsed = parseJson(text)
    return { value: parsed === undefined ? text : parsed }
  }
  return convertByType(node, text)
}

function convertByType(node: SchemaNode, text: string): Converted {
  const trimmed = text.trim()
  switch (node.type) {
    case 'integer':
      return /^[+-]?\d{1,16}$/.test(trimmed) && Number.isSafeInteger(Number(trimmed))
        ? { value: Number(trimmed) }
        : { expected: 'a whole number' }
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(Number(trimmed))
        ? { value: Number(trimmed) }
        : { expected: 'a number' }
    case 'boolean':
      return /^(true|false)$/i.test(trimmed) ? { value: trimmed.toLowerCase() === 'true' } : { expected: 'true or false' }
    case 'null':
      return trimmed === 'null' ? { value: null } : { expected: 'null' }
    case 'array': {
      const parsed = parseJson(text)
      return Array.isArray(parsed) ? { value: parsed } : { expected: 'a list, written as JSON (["a", "b"])' }
    }
    case 'object': {
      const parsed = parseJson(text)
      return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
        ? { value: parsed }
        : { expected: 'an object, written as JSON ({"key": "value"})' }
    }
    default:
      return { value: text }
  }
}

/** Text last: any text is a string. */
function firstOf(variants: readonly SchemaNode[], text: string): Converted {
  const expected: string[] = []
  for (const variant of [...variants].sort((left, right) => Number(left.type === 'string') - Number(right.type === 'string'))) {
    const converted = convertText(variant, text)
    if ('value' in converted) return converted
    expected.push(converted.expected)
  }
  return { expected: expected.join(' or ') }
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
