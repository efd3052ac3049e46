import { defineError } from '../../core/errors.js'

/**
 * No room on the disk. Nothing of the commit was written; reads go on; writes work again once there
 * is room.
 */
export const storageFullError = defineError<{ readonly path: string }>({
  code: 'storage_full',
  status: 507,
  title: 'Storage full',
  message: ({ path }) => `No room is left at ${path}. Nothing was written. Free some space; writing then resumes by itself.`,
})

/** The store is damaged. */
export const databaseCorruptError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'database_corrupt',
  status: 500,
  title: 'Database corrupt',
  message: ({ path, reason }) =>
    `The database at ${path} is damaged: ${reason}. Restore the folder from a backup (agent-service restore), or move it away to start empty.`,
})

/** The process may not read or write the store. */
export const databaseForbiddenError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'database_forbidden',
  status: 500,
  title: 'Database not accessible',
  message: ({ path, reason }) =>
    `The database at ${path} cannot be opened: ${reason}. Give the service's user read and write access to the folder and its files.`,
})

/** The store was written by a newer version. */
export const databaseNewerError = defineError<{ readonly what: string; readonly found: number; readonly known: number }>({
  code: 'database_newer',
  status: 500,
  title: 'Database is newer',
  message: ({ what, found, known }) =>
    `${what} has version ${found}, this version of the service knows up to ${known}. Start the newer version again, or restore a backup from before the upgrade.`,
})

/** A database server does not answer. The start is retried for a minute. */
export const databaseUnreachableError = defineError<{ readonly reason: string }>({
  code: 'database_unreachable',
  status: 503,
  title: 'Database unreachable',
  message: ({ reason }) => `The database server cannot be reached: ${reason}.`,
})

/** Used after `close`. */
export const databaseClosedError = defineError<Record<string, never>>({
  code: 'database_closed',
  status: 503,
  title: 'Database closed',
  message: () => 'The database has been closed; the service is stopping.',
})

/** Documents break a unique index. */
export const uniqueViolationError = defineError<{ readonly collection: string; readonly index: string }>({
  code: 'unique_violation',
  status: 409,
  title: 'Already taken',
  message: ({ collection, index }) => `Another document of ${collection} already has this value in the unique index “${index}”.`,
})

/** Too many searches wait. */
export const searchBusyError = defineError<Record<string, never>>({
  code: 'search_busy',
  status: 503,
  title: 'Search busy',
  message: () => 'Too many searches are under way. Try again in a moment.',
})

/**
 * Something reads an older moment of the store for so long that what was deleted since cannot be
 * made unreadable yet.
 */
export const purgeDelayedError = defineError<{ readonly path: string }>({
  code: 'purge_delayed',
  status: 503,
  title: 'Purge delayed',
  message: ({ path }) =>
    `Deleted data could not be removed from the files at ${path} yet, because a program still reads an older snapshot. Close other programs that have the files open; the removal is retried.`,
})
