import type { Problem } from '../core/errors.js'
import { schemaNameKeyword, schemaNamePattern } from '../core/named.js'
import { schemaAnnotations } from './schema-annotations.js'

interface Kind {
  readonly expected: string
  holds(value: unknown): boolean
}

const flag: Kind = { expected: 'true or false', holds: (value) => typeof value === 'boolean' }
const text: Kind = { expected: 'text that is not empty', holds: (value) => typeof value === 'string' && value.trim() !== '' }
const mode: Kind = { expected: '“at-use” or “never”', holds: (value) => value === 'at-use' || value === 'never' }
const texts: Kind = { expected: 'a list of texts', holds: (value) => Array.isArray(value) && value.every(isText) }
const textByName: Kind = {
  expected: 'an object of texts',
  holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText),
}

const schemaName: Kind = {
  expected: 'a name in PascalCase, such as DiceRoll',
  holds: (value) => typeof value === 'string' && schemaNamePattern.test(value),
}

const isText = (value: unknown): boolean => typeof value === 'string'

const kinds: Readonly<Record<string, Kind>> = {
  [schemaNameKeyword]: schemaName,
  [schemaAnnotations.secret]: flag,
  [schemaAnnotations.harmless]: flag,
  [schemaAnnotations.unit]: text,
  [schemaAnnotations.path]: flag,
  [schemaAnnotations.defaultPath]: text,
  [schemaAnnotations.defaultText]: text,
  [schemaAnnotations.expand]: mode,
  [schemaAnnotations.noEffect]: text,
  [schemaAnnotations.setUp]: flag,
  [schemaAnnotations.slot]: text,
  [schemaAnnotations.removed]: text,
  [schemaAnnotations.extensionPlace]: text,
  [schemaAnnotations.variantMember]: text,
  [schemaAnnotations.variantAliases]: textByName,
  [schemaAnnotations.knownKeys]: texts,
}

/**
 * Checks the value of an `x-…` keyword: one of {@link schemaAnnotations} must have its type, else
 * `x-secret: "yes"` would be no secret at all.
 */
export function checkAnnotation(name: string, value: unknown, path: string): readonly Problem[] {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  return kind === undefined || kind.holds(value) ? [] : [{ path, message: `must be ${kind.expected}` }]
}
