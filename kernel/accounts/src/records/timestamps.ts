/** A moment as it is stored and sent: RFC 3339 in UTC, with milliseconds. */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()
