import { Refine, type TObject, type TSchema } from 'typebox'
import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { validate } from '../../core/validate.js'
import { checkContributedSchemas } from './contributed-schema.js'

/** Members below this depth are looked at as they are. */
const deepest = 3

/**
 * Checks a contribution against the schema of its members. Members that are `undefined` count as
 * absent. An instance of a class may have members that the schema does not name. Empty when the
 * contribution fits. Never throws, and calls nothing but getters.
 */
export function checkShape(shape: TObject, value: unknown): readonly Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path: '/', message: 'must be an object' }]
  const { members, unreadable, unsound } = readMembers(shape, value as Readonly<Record<string, unknown>>)
  const problems = validate(shape, members).filter(({ path }) => !unreadable.some((other) => other.path === path))
  return [...unreadable, ...problems, ...unsound]
}

interface ReadMembers {
  readonly members: Readonly<Record<string, unknown>>
  /** Of members whose getters throw. */
  readonly unreadable: readonly Problem[]
  /** Of schemas that members hold. */
  readonly unsound: readonly Problem[]
}

/** Reads the members that the shape names. The others are noted, not read. */
function readMembers({ properties }: TObject, value: Readonly<Record<string, unknown>>): ReadMembers {
  const names = isPlain(value) ? unknownNames(value, Object.keys(properties)) : []
  const members: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  const unreadable: Problem[] = []
  const unsound: Problem[] = []
  for (const [name, schema] of Object.entries(properties)) {
    try {
      const member = value[name]
      if (member === undefined) continue
      members[name] = withoutAbsent(member, deepest)
      unsound.push(...checkContributedSchemas(schema, member, `/${name}`))
    } catch (error) {
      unreadable.push({ path: `/${name}`, message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` })
    }
  }
  return { members, unreadable, unsound }
}

function unknownNames(value: object, known: readonly string[]): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, { enumerable, get, value: member }]) => enumerable === true && (get !== undefined || member !== undefined))
    .map(([name]) => name)
    .filter((name) => !known.includes(name))
}

/** A copy of lists and plain objects without members that are `undefined`. */
function withoutAbsent(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => withoutAbsent(item, depth - 1))
  if (!isPlain(value)) return value
  const present = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, withoutAbsent(member, depth - 1)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const holds = (test: (value: unknown) => boolean, message: string): TSchema => Refine(Type.Unknown(), test, () => message)

/** A function. What it returns shows when it is called. */
export const aFunction = holds((value) => typeof value === 'function', 'must be a function')

/** A text that is not blank. */
export const aText = ({ minLength = 1, maxLength }: { readonly minLength?: number; readonly maxLength: number }): TSchema =>
  holds((value) => {
    const length = typeof value === 'string' ? value.trim().length : 0
    return length >= minLength && length <= maxLength
  }, `must be a text of ${minLength} to ${maxLength} characters`)

/** A text of one line that is not blank. */
export const aLine = (maxLength: number): TSchema =>
  holds(
    (value) => typeof value === 'string' && value.trim() !== '' && value.length <= maxLength && !/[\r\n]/.test(value),
    `must be one line of 1 to ${maxLength} characters`,
  )

/** A text that matches a pattern, which an example describes. */
export const aName = (pattern: RegExp, description: string): TSchema =>
  holds((value) => typeof value === 'string' && pattern.test(value), `must be ${description}`)

/** The id of a contribution, if it is words with `-` between them. */
export const aContributionId = aName(/^[a-z][a-z0-9-]{0,63}$/, 'an id in kebab-case with at most 64 characters, such as open-tasks')

/** A whole number from one to another. */
export const aRange = (minimum: number, maximum: number): TSchema => Type.Integer({ minimum, maximum })

/** A whole number above 0. */
export const aCount = aRange(1, Number.MAX_SAFE_INTEGER)

/** One of a few values. */
export const oneOf = (values: readonly (string | number | boolean)[]): TSchema => Type.Union(values.map((value) => Type.Literal(value)))

/** The generation of the contract that a contribution is written for. */
export const firstSpecVersion = Type.Literal(1)
