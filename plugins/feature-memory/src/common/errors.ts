import { defineError } from '@agent-service/sdk'

/** No back end can be asked now. Nothing was changed. */
export const memoryUnavailableError = defineError<{ readonly reason: string }>({
  code: 'memory_unavailable',
  status: 503,
  title: 'Memory not available',
  message: ({ reason }) => `The memory cannot be used now: ${reason}. Try again later.`,
})

/** The back end in use has no such ability. */
export const memoryUnsupportedError = defineError<{ readonly backend: string; readonly what: string }>({
  code: 'memory_unsupported',
  status: 409,
  title: 'Not supported by this memory',
  message: ({ backend, what }) => `The memory “${backend}” has no ${what}. GET /api/memory/status lists what it supports.`,
})

/** A file that is no export of memories, from one line on. */
export const memoryImportInvalidError = defineError<{ readonly line: number; readonly problem: string }>({
  code: 'memory_import_invalid',
  status: 422,
  title: 'Invalid export of memories',
  message: ({ line, problem }) =>
    `Line ${line}: ${problem}. What came before it may have been imported. Mend the line and import the file again: the same records change nothing.`,
})

/** A person has written what looks like a secret, and has not said that it is to be stored. */
export const memorySecretError = defineError<{ readonly kind: 'password' | 'key' | 'card' }>({
  code: 'memory_looks_secret',
  status: 422,
  title: 'It looks like a secret',
  message: ({ kind }) =>
    `The text has what looks like ${{ password: 'a password', key: 'a key or token', card: 'the number of a payment card' }[kind]}. What is remembered is read by agents and sent to their models. Leave it out, or send it again with allow_secret: true.`,
})

/** Memories are being moved, for a moment. */
export const memoryMovingError = defineError<Record<string, never>>({
  code: 'memory_moving',
  status: 503,
  title: 'Memory is moving',
  message: () =>
    'The memories are moving to another back end, and nothing can be changed until the service has restarted. Try again in a moment.',
})

/** So much is remembered that it is not made into one readable text. */
export const memoryTooLargeError = defineError<{ readonly maxBytes: number }>({
  code: 'memory_too_large',
  status: 413,
  title: 'Too much for one text',
  message: ({ maxBytes }) => `What is remembered has more than ${maxBytes} bytes as Markdown. Export it with format=ndjson.`,
})

/** A migration that cannot begin, or be given up, now. */
export const migrationRefusedError = defineError<{ readonly reason: string }>({
  code: 'memory_migration_refused',
  status: 409,
  title: 'Migration of memories refused',
  message: ({ reason }) => `The migration of memories cannot be changed: ${reason}.`,
})

/** A back end keeps no more memories of a user. Back ends throw it themselves, with their own number. */
export const memoryFullError = defineError<Record<string, never>>({
  code: 'memory_full',
  status: 409,
  title: 'Memory full',
  message: () => 'There are as many memories as are kept. Forget some of them first.',
})

/** A back end has too many changes of a user at once. Back ends throw it themselves. */
export const memoriesBusyError = defineError<Record<string, never>>({
  code: 'memories_busy',
  status: 409,
  title: 'Memories busy',
  message: () => 'The memories are being changed by others all the time. Try again in a moment.',
})

/** A chat in which guests write is never remembered. */
export const chatOfGuestsError = defineError<Record<string, never>>({
  code: 'chat_of_guests',
  status: 409,
  title: 'A chat of guests',
  message: () => 'Others than you write in this chat, so nothing of it is remembered, and that cannot be changed.',
})
