import { defineError } from '../../core/errors.js'

/** The id of a new document is taken; the code is the service's. */
export const documentExistsError = defineError<{ readonly collection: string; readonly id: string }>({
  code: 'document_exists',
  status: 409,
  title: 'Document exists',
  message: ({ collection, id }) => `${collection} already has a document “${id}”. Use put to replace it.`,
})

/** Another write came first; the code is the service's. */
export const conflictError = defineError<{ readonly collection: string }>({
  code: 'conflict',
  status: 409,
  title: 'Conflict',
  message: ({ collection }) => `A document of ${collection} was changed in the meantime. Read it again and retry the change.`,
})

/** The plugin did not list the collection; the code is the service's. */
export const collectionUnknownError = defineError<{ readonly collection: string; readonly known: readonly string[] }>({
  code: 'collection_unknown',
  status: 500,
  title: 'Collection not listed',
  message: ({ collection, known }) =>
    `The plugin does not list the collection “${collection}”. Add it to definePlugin({ collections }), which has: ${known.join(', ') || 'none'}.`,
})

/** A query does not fit its index; the code is the service's. */
export const queryInvalidError = defineError<{ readonly collection: string; readonly reason: string }>({
  code: 'query_invalid',
  status: 500,
  title: 'Query invalid',
  message: ({ collection, reason }) => `A query of ${collection} is not valid: ${reason}`,
})

/** A cursor of another query; the code is the service's. */
export const cursorInvalidError = defineError<{ readonly collection: string }>({
  code: 'cursor_invalid',
  status: 422,
  title: 'Invalid cursor',
  message: ({ collection }) => `The cursor was not issued for ${collection}. Pass nextCursor of the previous page.`,
})
