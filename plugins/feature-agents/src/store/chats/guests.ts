/** What runs may use where others than the user write or read: the names of tools. */
export type Guests = { readonly tools: readonly string[] }

/** What both permit. Null: everything, since there are no guests. */
export function bothOf(one: Guests | null, other: Guests | null): Guests | null {
  if (one === null || other === null) return one ?? other
  return { tools: one.tools.filter((name) => other.tools.includes(name)) }
}

/** Whether `one` permits nothing that `other` does not. */
export const isWithin = (one: Guests | null, other: Guests): boolean => one?.tools.every((name) => other.tools.includes(name)) === true
