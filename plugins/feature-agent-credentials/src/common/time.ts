/** A moment as documents and the API have it. */
export const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The same for one that may be absent. */
export const textOrNull = (milliseconds: number | undefined): string | null => (milliseconds === undefined ? null : textOf(milliseconds))
