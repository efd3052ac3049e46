/** A moment as documents and the API have it. */
export const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
