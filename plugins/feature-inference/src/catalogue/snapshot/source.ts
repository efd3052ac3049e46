/**
 * The form of the public list of models that the snapshot is made of (models.dev, `api.json`): one object by provider id. Only what is read here is
 * written down; everything may be missing, and members that are not known are passed over.
 */
export interface SourceProvider {
  readonly env: readonly string[]
  /** The client package that speaks to it; its protocol follows from that. */
  readonly npm: string
  readonly api: string | undefined
  readonly name: string
  /** Address of its documentation. */
  readonly documentation: string | undefined
  readonly models: Readonly<Record<string, unknown>>
}

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A finite number that is not negative. */
export const amountOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** A whole number above 0. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

/** The texts of a list. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []

/** One provider of the list; `undefined` where it is none. */
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
