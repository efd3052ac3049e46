/**
 * The agents for which a run works, by their ids, the first one first: each asked the next one, by
 * `delegate` or by a task. Network and agents that are closed to one of them are closed to the run.
 * Empty: it works for its user alone.
 */
export type Callers = readonly string[]

/** The most agents that ask each other. */
export const maxCallers = 20

/** Both, each agent once, in the order in which they asked first. */
export const joinCallers = (one: Callers, other: Callers): Callers => [...new Set([...one, ...other])]

/** Whether what is closed to the runs of `other` is closed to those of `one`. */
export const hasCallers = (one: Callers, other: Callers): boolean => other.every((id) => one.includes(id))
