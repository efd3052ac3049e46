/**
 * Beside a user's subsystems: where the new content of files is put together, and where folders go that are being removed. No process of an agent reaches it, so
 * nothing in it is ever swapped. What a process that was killed leaves here is swept.
 */
export const incomingName = '.incoming'
