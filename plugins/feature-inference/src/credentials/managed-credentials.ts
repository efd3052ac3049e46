import type { CredentialReference, Credentials } from '@agent-service/sdk/services/credentials'
import { type CredentialDetails, credentialPurpose, keyField, type ManagedCredential, managedCredentialOf } from './managed-credential.js'

/** The deployment's credentials for brands. */
export interface ManagedCredentials {
  /** Oldest first. */
  list(page: {
    readonly limit: number
    readonly cursor?: string
  }): Promise<{ readonly items: readonly ManagedCredential[]; readonly nextCursor?: string }>
  find(id: string): Promise<ManagedCredential | undefined>
  create(credential: { readonly brand: string; readonly label: string; readonly key: string }): Promise<ManagedCredential>
  /** Changes what is not secret. @throws `credential_not_found`. */
  change(id: string, members: { readonly label?: string; readonly check?: Omit<CredentialDetails, 'brand'> }): Promise<ManagedCredential>
  /** Stores another key under the same id. @throws `credential_not_found`. */
  replaceKey(id: string, key: string): Promise<ManagedCredential>
  /** False if there was none. */
  delete(id: string, options: { readonly signal: AbortSignal }): Promise<boolean>
}

export function createManagedCredentials(credentials: Credentials): ManagedCredentials {
  return {
    async list(page) {
      const { items, nextCursor } = await credentials.list({ owner: 'deployment', purpose: credentialPurpose, ...page })
      return { items: items.map(managedCredentialOf), ...(nextCursor !== undefined && { nextCursor }) }
    },
    async find(id) {
      const summary = await credentials.get(referenceOf(id))
      return summary && managedCredentialOf(summary)
    },
    create: async ({ brand, label, key }) =>
      managedCredentialOf(
        await credentials.create({
          ...{ owner: 'deployment', purpose: credentialPurpose, label },
          details: newDetails(brand),
          content: { kind: 'secret', fields: { [keyField]: key } },
        }),
      ),
    change: async (id, { label, check }) =>
      managedCredentialOf(
        await credentials.change(referenceOf(id), { ...(label !== undefined && { label }), ...(check && { details: { ...check } }) }),
      ),
    replaceKey: async (id, key) =>
      managedCredentialOf(await credentials.replace(referenceOf(id), { kind: 'secret', fields: { [keyField]: key } })),
    delete: (id, options) => credentials.delete(referenceOf(id), options),
  }
}

/** The details of a credential that has not been tested. */
export const newDetails = (brand: string): CredentialDetails => ({ brand, checked_at: null, check_ok: null })

/** The reference for an id from a connection or a path, which may be in upper case. */
export const referenceOf = (id: string): CredentialReference => ({ owner: 'deployment', id: id.toLowerCase() })
