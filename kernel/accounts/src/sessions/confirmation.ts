import type { SessionRecord } from '../records/records.js'

/** How long a session stays confirmed. */
export const confirmationMs = 5 * 60_000

/** When a confirmation of that time ends. In milliseconds since 1970. */
export const confirmationEnd = (confirmedAt: number): number => confirmedAt + confirmationMs

/**
 * Whether a session was confirmed within the last five minutes. A confirmation up to five minutes
 * in the future counts too, in case the clocks of nodes differ; a clock that was set back by more
 * ends it.
 */
export const isConfirmed = ({ confirmed_at: confirmedAt }: SessionRecord, now: number): boolean =>
  confirmedAt !== null && Math.abs(now - Date.parse(confirmedAt)) < confirmationMs
