import { isObject, numberAt, textAt } from '@agent-service/sdk/provider-kit'
import type { AwsCredentials } from './aws-credentials.js'

/** The names under which a document has its members. */
export interface CredentialNames {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly expiration: string
}

/** The names of containers and instances. */
export const metadataNames: CredentialNames = {
  accessKeyId: 'AccessKeyId',
  secretAccessKey: 'SecretAccessKey',
  sessionToken: 'Token',
  expiration: 'Expiration',
}

/**
 * Reads credentials from a JSON document; `undefined` if a key is missing. The end is a time by RFC
 * 3339, or milliseconds since 1970.
 */
export function readCredentialDocument(document: unknown, names: CredentialNames): AwsCredentials | undefined {
  if (!isObject(document)) return undefined
  const accessKeyId = textAt(document, names.accessKeyId)
  const secretAccessKey = textAt(document, names.secretAccessKey)
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  const sessionToken = textAt(document, names.sessionToken)
  const expiresAt = numberAt(document, names.expiration) ?? momentOf(textAt(document, names.expiration))
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

/** Milliseconds since 1970 of a time by RFC 3339; `undefined` if it is not one. */
export function momentOf(text: string | undefined): number | undefined {
  const moment = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
}
