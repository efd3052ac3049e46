import type { Schemas } from '../../api/index.js'

export type Agent = Schemas['Agent']
export type Definition = Schemas['AgentDefinition']
export type Member = keyof Definition
export type Approval = Definition['approval'][string]

/** The members that the form edits, in its order. */
export const members = [
  'name',
  'handle',
  'description',
  'avatar',
  'model_group',
  'instructions',
  'enabled',
  'memory',
  'titles',
  'sandbox',
  'limits',
  'skills',
  'tools',
  'approval',
  'prompts',
] as const satisfies readonly Member[]

/** What a person sets, out of the agent as the service answers it; a copy. */
export function definitionOf(agent: Agent): Definition {
  return structuredClone(Object.fromEntries(members.map((member) => [member, agent[member]])) as unknown as Definition)
}

/** Equal as JSON, whatever the order of keys. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

/** The members that differ. */
export const changedMembers = (before: Definition, after: Definition): readonly Member[] =>
  members.filter((member) => !isSame(before[member], after[member]))

/** The changed members alone, as the body of a change. */
export const changesOf = (before: Definition, after: Definition): Partial<Definition> =>
  Object.fromEntries(changedMembers(before, after).map((member) => [member, after[member]]))

/** What two changes of the same version make together. */
export interface Merge {
  readonly merged: Definition
  /** The members that both changed, each to something else; `merged` has mine. */
  readonly conflicts: readonly Member[]
  /** The members that only the other one changed. */
  readonly taken: readonly Member[]
}

export function merge(base: Definition, mine: Definition, theirs: Definition): Merge {
  const own = new Set(changedMembers(base, mine))
  const other = changedMembers(base, theirs)
  const taken = other.filter((member) => !own.has(member))
  const conflicts = other.filter((member) => own.has(member) && !isSame(mine[member], theirs[member]))
  const merged = { ...mine, ...Object.fromEntries(taken.map((member) => [member, theirs[member]])) } as Definition
  return { merged, conflicts, taken }
}
