/**
 * The shape of the public list of models (models.dev, `api.json`): one object by provider id. Only
 * the members in use are described; any may be missing, and unknown members are ignored.
 */
export interface SourceProvider {
  readonly env: readonly string[]
  /** Its client package, which implies its protocol. */
  readonly npm: string
  readonly api: string | undefined
  readonly name: string
  /** Address of its documentation. */
  readonly documentation: string | undefined
  readonly models: Readonly<Record<string, unknown>>
}

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object; empty for other values. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})

/** A non-empty text. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A finite number that is not negative. */
export const amountOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** A positive integer. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

/** The texts of a list. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []

/** One provider of the list; `undefined` for other values. */
export function providerOf(value: unknown): SourceProvider | undefined {
  if (!isMembers(value)) return undefined
  const name = textOf(value['name'])
  const npm = textOf(value['npm'])
  if (name === undefined || npm === undefined) return undefined
  return {
    env: textsOf(value['env']),
    npm,
    api: textOf(value['api']),
    name,
    documentation: textOf(value['doc']),
    models: membersOf(value['models']),
  }
}
