import { defineError } from '@agent-service/sdk'

/**
 * A sealed text cannot be opened: it was changed, moved to another record or field, or its data key
 * is missing.
 */
export const secretUnreadableError = defineError<{ readonly record: string; readonly field: string; readonly reason: string }>({
  code: 'secret_unreadable',
  status: 500,
  title: 'Secret unreadable',
  message: ({ record, field, reason }) =>
    `The stored secret “${field}” of ${record} cannot be read: ${reason}. Enter it again, or restore the backup that it belongs to.`,
})

/** The stored secrets were sealed under another `auth.encryption_secret`. Nothing was written. */
export const encryptionSecretWrongError = defineError<Readonly<Record<string, never>>>({
  code: 'encryption_secret_wrong',
  status: 500,
  title: 'Encryption secret wrong',
  message: () =>
    'The secrets in the database were encrypted with another auth.encryption_secret than the current one. Set SERVICE_AUTH_ENCRYPTION_SECRET to the secret that belongs to this database, or restore the matching backup.',
})

/** Secrets were sealed in the database, but their keys are missing. Nothing was written. */
export const dataKeysMissingError = defineError<Readonly<Record<string, never>>>({
  code: 'data_keys_missing',
  status: 500,
  title: 'Data keys missing',
  message: () => 'The keys of the encrypted secrets in this database are missing. Restore a backup of the whole database.',
})

export const secretTooLargeError = defineError<{ readonly bytes: number; readonly limit: number }>({
  code: 'secret_too_large',
  status: 422,
  title: 'Secret too large',
  message: ({ bytes, limit }) => `The secret has ${bytes} bytes; at most ${limit} can be stored.`,
})
