/** A time of the API for people: UTC, to the minute. */
export const shownTime = (time: unknown): string => (typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : '')
