import { defineError } from '@agent-service/sdk'

/**
 * A document is not plain JSON, is too large or too deep, or its id is not valid. A programming
 * error: routes validate requests.
 */
export const documentInvalidError = defineError<{ readonly collection: string; readonly path: string; readonly reason: string }>({
  code: 'document_invalid',
  status: 500,
  title: 'Document invalid',
  message: ({ collection, path, reason }) => `A document of ${collection} was not written: ${path || 'the document'} ${reason}.`,
})

export const documentExistsError = defineError<{ readonly collection: string; readonly id: string }>({
  code: 'document_exists',
  status: 409,
  title: 'Already exists',
  message: ({ collection, id }) => `${collection} already has a document with the id “${id}”.`,
})

export const conflictError = defineError<{ readonly collection?: string; readonly id?: string; readonly attempts?: number }>({
  code: 'conflict',
  status: 409,
  title: 'Conflict',
  message: ({ collection, id }) =>
    collection && id !== undefined
      ? `The document “${id}” of ${collection} was changed in the meantime. Read it again and retry the change.`
      : 'The same data was changed concurrently. Retry the request.',
})

export const collectionUnknownError = defineError<{ readonly collection: string; readonly owner: string }>({
  code: 'collection_unknown',
  status: 500,
  title: 'Collection unknown',
  message: ({ collection, owner }) =>
    `${owner} uses the collection ${collection}, which it did not declare. List it in the plugin's collections.`,
})

export const collectionInvalidError = defineError<{ readonly collection: string; readonly reason: string }>({
  code: 'collection_invalid',
  status: 500,
  title: 'Collection invalid',
  message: ({ collection, reason }) => `The definition of the collection “${collection}” is not valid: ${reason}.`,
})

export const collectionTakenError = defineError<{ readonly collection: string; readonly owner: string; readonly other: string }>({
  code: 'collection_taken',
  status: 500,
  title: 'Collection taken',
  message: ({ collection, owner, other }) =>
    `${owner} declares the collection ${collection}, which belongs to ${other}. Rename one of them.`,
})

export const queryInvalidError = defineError<{ readonly collection: string; readonly reason: string }>({
  code: 'query_invalid',
  status: 500,
  title: 'Query invalid',
  message: ({ collection, reason }) => `A query of ${collection} is not valid: ${reason}.`,
})

export const cursorInvalidError = defineError<{ readonly collection: string }>({
  code: 'cursor_invalid',
  status: 422,
  title: 'Cursor invalid',
  message: () =>
    'The cursor does not belong to this list or is damaged. Use a next_cursor of the same list unchanged, or start without one.',
})

export const transactionEndedError = defineError<Record<string, never>>({
  code: 'transaction_ended',
  status: 500,
  title: 'Transaction ended',
  message: () => 'The transaction has ended. Await everything that uses it inside its work.',
})

export const transactionNestedError = defineError<Record<string, never>>({
  code: 'transaction_nested',
  status: 500,
  title: 'Transaction nested',
  message: () => 'A transaction was begun inside the work of another. Use the outer transaction, or begin the second after the first.',
})

export const transactionTooLargeError = defineError<{ readonly limit: string }>({
  code: 'transaction_too_large',
  status: 500,
  title: 'Transaction too large',
  message: ({ limit }) => `A transaction holds at most ${limit}. Split the work.`,
})

export const migrationMissingError = defineError<{ readonly collection: string; readonly from: number; readonly to: number }>({
  code: 'migration_missing',
  status: 500,
  title: 'Migration missing',
  message: ({ collection, from, to }) =>
    `${collection} is stored in version ${from}, and no migration leads from there to version ${to}. Start an intermediate version of the service first.`,
})

/**
 * A migration step failed for a document. Documents migrated before it stay and are not migrated
 * again.
 */
export const migrationFailedError = defineError<{
  readonly collection: string
  readonly to: number
  readonly id: string
  readonly reason: string
}>({
  code: 'migration_failed',
  status: 500,
  title: 'Migration failed',
  message: ({ collection, to, id, reason }) =>
    `The document “${id}” of ${collection} could not be migrated to version ${to}: ${reason.replace(/\.$/, '')}. The migration resumes here at the next start.`,
})

export const databaseLockedError = defineError<{ readonly path: string; readonly pid?: number; readonly started?: string }>({
  code: 'database_locked',
  status: 500,
  title: 'Database in use',
  message: ({ path, pid, started }) =>
    pid === undefined
      ? `The database at ${path} is in use by another process (see it with: lsof ${path}/lock). Stop that process, or use another folder.`
      : `The database at ${path} is in use by process ${pid}${started ? `, running since ${started}` : ''} (see it with: ps -fp ${pid}). Stop that process, or use another folder.`,
})
