import { type JsonValue, type Logger, ServiceError } from '@agent-service/sdk'
import { type CredentialContent, type Credentials, credentialExistsError } from '@agent-service/sdk/services/credentials'
import { type Database, defineCollection, documentsOf } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import { clientOfBrand } from './client-of-brand.js'
import { credentialPurpose, keyField, type ManagedCredential } from './managed-credential.js'

/** A managed credential as this package stored it before the service `credentials` did. */
export type EarlierCredential = Omit<ManagedCredential, 'expires_at'> & {
  readonly expires_at: string | null
  readonly generation: number
  /** Sealed JSON of an {@link EarlierPayload}. */
  readonly payload: string
}

type EarlierPayload =
  | { readonly kind: 'api_key'; readonly api_key: string }
  | {
      readonly kind: 'account'
      readonly access_token: string
      readonly refresh_token?: string
      readonly expires_at?: number
      readonly account_id?: string
    }

/**
 * Empty once everything has been moved. It keeps its name and its sealed member: a sealed text
 * opens only in the collection and field that it was sealed for.
 */
export const earlierCredentials = defineCollection<EarlierCredential>()({
  name: 'inference.credentials',
  version: 1,
  indexes: { by_time: { fields: ['created_at'] } },
  sealed: ['payload'],
})

/** What moving credentials depends on. */
export interface MoveDependencies {
  readonly database: Database
  readonly sealedFields: Pick<SealedFields, 'open'>
  readonly credentials: Pick<Credentials, 'create'>
  readonly signInOf: (brand: string) => SignInSettings | undefined
  readonly log: Logger
}

/**
 * Moves the credentials of earlier versions to the service, with the same ids. Each is stored there
 * before it is deleted here, and one that exists there stays unchanged. So a move can stop at any
 * point and run again, also in two processes at once. A credential that cannot be read stays here.
 */
export async function moveEarlierCredentials(dependencies: MoveDependencies): Promise<void> {
  const { database } = dependencies
  for await (const record of documentsOf(database, earlierCredentials, { index: 'by_time', equals: [], pageSize: 200 }))
    if (await isMoved(record, dependencies)) await database.collection(earlierCredentials).delete(record.id)
}

async function isMoved(record: EarlierCredential, { sealedFields, credentials, signInOf, log }: MoveDependencies): Promise<boolean> {
  const { id, brand, label, checked_at, check_ok, state, created_at: createdAt } = record
  try {
    const text = await sealedFields.open(record.payload, { collection: earlierCredentials, id, field: 'payload' })
    await credentials.create({
      ...{ owner: 'deployment', id, purpose: credentialPurpose, label, details: { brand, checked_at, check_ok } },
      content: contentOf(JSON.parse(text) as JsonValue as unknown as EarlierPayload, signInOf(brand)),
      moved: { createdAt: Date.parse(createdAt), ...(state === 'sign_in_needed' && { reauthenticationReason: 'invalid_grant' }) },
    })
    return true
  } catch (error) {
    if (credentialExistsError.isInstance(error)) return true
    if (!ServiceError.isInstance(error) || error.code !== 'secret_unreadable') throw error
    log.warn(`The content of the managed credential ${id} of “${brand}” cannot be read. Enter it again.`, { credential_id: id, error })
    return false
  }
}

function contentOf(payload: EarlierPayload, settings: SignInSettings | undefined): CredentialContent {
  if (payload.kind === 'api_key') return { kind: 'secret', fields: { [keyField]: payload.api_key } }
  const { access_token: accessToken, refresh_token: refreshToken, expires_at: expiresAt, account_id: account } = payload
  return {
    kind: 'oauth',
    // Without a sign-in of the brand the tokens cannot be renewed.
    ...(settings && { client: clientOfBrand(settings) }),
    tokens: {
      accessToken,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(account !== undefined && { account }),
    },
  }
}
