import type { Problem } from './errors.js'
import { suggestion } from './nearest.js'

/** What one member of a contribution must be: everything that is wrong with a value at a JSON pointer. */
export type MemberRule = (value: unknown, path: string) => readonly Problem[]

/** The members of an object by name. */
export type MemberRules = Readonly<Record<string, MemberRule>>

/** The members that an object must have, and those that it may have. */
export interface ObjectRules {
  readonly required: MemberRules
  readonly optional?: MemberRules
}

/**
 * Checks the members of an object: required ones are there, each is what its rule asks for, and a plain object has no other. An instance of a
 * class may keep fields of its own. Empty when all of it holds. Members that are `undefined` count as absent. Never throws.
 */
export function checkMembers(value: unknown, { required, optional = {} }: ObjectRules, path = ''): readonly Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: path === '' ? '/' : path, message: 'must be an object' }]
  const members = value as Readonly<Record<string, unknown>>
  const rules: MemberRules = { ...required, ...optional }
  return [
    ...Object.entries(rules).flatMap(([name, rule]) => checkMember(members, name, rule, path, Object.hasOwn(required, name))),
    ...(isPlain(value) ? unknownMembers(value, Object.keys(rules), path) : []),
  ]
}

function checkMember(
  members: Readonly<Record<string, unknown>>,
  name: string,
  rule: MemberRule,
  path: string,
  isRequired: boolean,
): readonly Problem[] {
  const at = `${path}/${name}`
  try {
    const member = members[name]
    if (member === undefined) return isRequired ? [{ path: at, message: 'is required' }] : []
    return rule(member, at)
  } catch (error) {
    return [{ path: at, message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }]
  }
}

function unknownMembers(value: object, known: readonly string[], path: string): readonly Problem[] {
  const isThere = (name: string): boolean => {
    const descriptor = Object.getOwnPropertyDescriptor(value, name)
    return descriptor?.get !== undefined || descriptor?.value !== undefined
  }
  return Object.keys(value)
    .filter((name) => !known.includes(name) && isThere(name))
    .map((name) => ({ path: `${path}/${name}`, message: `is unknown${suggestion(name, known)}` }))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const holds =
  (test: (value: unknown) => boolean, message: string): MemberRule =>
  (value, path) =>
    test(value) ? [] : [{ path, message }]

/** A function. What it returns shows when it is called. */
export const aFunction: MemberRule = holds((value) => typeof value === 'function', 'must be a function')

/** True or false. */
export const aBoolean: MemberRule = holds((value) => typeof value === 'boolean', 'must be true or false')

/** A text that is not blank. */
export const aText = (options: { readonly minLength?: number; readonly maxLength: number }): MemberRule =>
  holds(
    (value) => {
      const length = typeof value === 'string' ? value.trim().length : 0
      return length >= (options.minLength ?? 1) && length <= options.maxLength
    },
    `must be a text of ${options.minLength ?? 1} to ${options.maxLength} characters`,
  )

/** A text of one line that is not blank. */
export const aLine = (maxLength: number): MemberRule =>
  holds(
    (value) => typeof value === 'string' && value.trim() !== '' && value.length <= maxLength && !/[\r\n]/.test(value),
    `must be one line of 1 to ${maxLength} characters`,
  )

/** A text of a form, described by an example of it. */
export const aName = (pattern: RegExp, description: string): MemberRule =>
  holds((value) => typeof value === 'string' && pattern.test(value), `must be ${description}`)

/** What the ids of contributions look like that are words with `-` between them. */
export const contributionIdPattern: RegExp = /^[a-z][a-z0-9-]{0,63}$/

/** The id of a contribution, where it is words with `-` between them. */
export const aContributionId: MemberRule = aName(
  contributionIdPattern,
  'an id in kebab-case with at most 64 characters, such as open-tasks',
)

/** A whole number from one to another. */
export const aRange = (min: number, max: number): MemberRule => aNumber({ min, max, whole: true })

/** One of a few values. */
export const oneOf = (values: readonly (string | number | boolean)[]): MemberRule => {
  const known = new Set<unknown>(values)
  const words = values.filter((value) => typeof value === 'string')
  return (value, path) => {
    if (known.has(value)) return []
    const near = typeof value === 'string' ? suggestion(value, words) : ''
    return [
      {
        path,
        message: `must be ${values
          .map((each) => JSON.stringify(each))
          .join(', ')
          .replace(/, ([^,]*)$/, ' or $1')}${near}`,
      },
    ]
  }
}

/** A number within bounds. */
export const aNumber = (options: {
  readonly min?: number
  readonly max?: number
  readonly above?: number
  readonly whole?: boolean
}): MemberRule => {
  const { min, max, above, whole = false } = options
  const bound = [
    ...(min === undefined ? [] : [` of at least ${min}`]),
    ...(above === undefined ? [] : [` above ${above}`]),
    ...(max === undefined ? [] : [` of at most ${max}`]),
  ].join(' and')
  return holds(
    (value) =>
      typeof value === 'number' &&
      (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
      (min === undefined || value >= min) &&
      (max === undefined || value <= max) &&
      (above === undefined || value > above),
    `must be a ${whole ? 'whole ' : ''}number${bound}`,
  )
}

/** A list whose items each hold by a rule. */
export const aList =
  (item: MemberRule, options: { readonly minItems?: number; readonly maxItems: number }): MemberRule =>
  (value, path) => {
    const { minItems = 0, maxItems } = options
    if (!Array.isArray(value)) return [{ path, message: 'must be a list' }]
    if (value.length < minItems || value.length > maxItems) return [{ path, message: `must have ${minItems} to ${maxItems} items` }]
    return value.flatMap((each: unknown, index) => item(each, `${path}/${index}`))
  }

/** An object with these members. */
export const anObject =
  (rules: ObjectRules): MemberRule =>
  (value, path) =>
    checkMembers(value, rules, path)
