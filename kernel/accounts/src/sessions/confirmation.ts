import type { SessionRecord } from '../records/records.js'

/** How long a session counts as confirmed. */
export const confirmationMs = 5 * 60_000

/** When a confirmation given at a moment is over. In milliseconds since 1970. */
export const confirmationEnd = (confirmedAt: number): number => confirmedAt + confirmationMs

/**
 * Whether the person of a session has shown anew who they are within the last five minutes. A confirmation from as far ahead counts too, for nodes whose
 * clocks differ; a clock that was set back by more ends it.
 */
export const isConfirmed = ({ confirmed_at: confirmedAt }: SessionRecord, now: number): boolean =>
  confirmedAt !== null && Math.abs(now - Date.parse(confirmedAt)) < confirmationMs
