import type { TLocalizedValidationError } from 'typebox/error'

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** Years from 1970 to 2999; the format says the rest. */
const years = '(19[7-9]|2[0-9]{2})[0-9]'

/** The pattern of dates, beside the format `date`. */
export const datePattern: string = `^${years}-[0-9]{2}-[0-9]{2}$`

/** The pattern of instants, beside the format `date-time`, which permits leap seconds and suffixes. */
export const instantPattern: string = `^${years}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$`

const dateWords = 'must be a date of the years 1970 to 2999, such as 2026-01-31'
const instantWords = 'must be a time by RFC 3339 of the years 1970 to 2999, such as 2026-01-31T10:00:00Z'
const wordsOfPattern = new Map([
  [datePattern, dateWords],
  [instantPattern, instantWords],
])
const wordsOfFormat: Readonly<Record<string, string>> = { date: dateWords, 'date-time': instantWords }

/**
 * What was expected if the validator found an error, as words that follow a path:
 * `must be at least 3`. Names no value that was given.
 */
export function expectationOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${[error.params.type].flat().map(kindOf).join(' or ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
    case 'boolean':
      return 'is not known here'
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${error.params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${error.params.multipleOf}`
    case 'minLength':
      return atLeast(error.params.limit, 'character')
    case 'maxLength':
      return atMost(error.params.limit, 'character')
    case 'minItems':
      return atLeast(error.params.limit, 'item')
    case 'maxItems':
      return atMost(error.params.limit, 'item')
    case 'minProperties':
      return atLeast(error.params.limit, 'member')
    case 'maxProperties':
      return atMost(error.params.limit, 'member')
    case 'uniqueItems':
      return 'must not contain duplicate items'
    case 'pattern':
      return wordsOfPattern.get(String(error.params.pattern)) ?? `must match the pattern ${error.params.pattern}`
    case 'format':
      return wordsOfFormat[error.params.format] ?? `must have the format “${error.params.format}”`
    default:
      return error.message
  }
}

const kindOf = (type: string): string => kinds[type] ?? type

const atLeast = (limit: number, what: string): string => (limit === 1 ? 'must not be empty' : `must have at least ${limit} ${what}s`)

const atMost = (limit: number, what: string): string =>
  limit === 0 ? 'must be empty' : `must have at most ${limit} ${what}${limit === 1 ? '' : 's'}`
