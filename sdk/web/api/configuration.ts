import type { AnswerOf } from './types.js'

/** The configuration as administrators see it: what is saved, what is in effect, and where each value is from. */
export type Configuration = AnswerOf<'get', '/api/admin/config'>

type Members = Readonly<Record<string, unknown>>

/** The members of a value of the configuration; none for a value that is missing or no object. */
export const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

/** The entries of a section in the file, by name. */
export const savedIn = (configuration: Configuration, section: string): Readonly<Record<string, Members>> =>
  Object.fromEntries(Object.entries(membersOf(configuration.saved[section])).map(([name, entry]) => [name, membersOf(entry)]))

/** The variable of the environment that sets a path, or something around it. */
export const lockOf = (configuration: Configuration, path: string): string | undefined =>
  configuration.locked.find((each) => path === each.path || path.startsWith(`${each.path}.`) || each.path.startsWith(`${path}.`))?.variable

/** A dotted path; names that are no plain words are quoted. */
export const pathOf = (...names: readonly string[]): string =>
  names.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join('.')
