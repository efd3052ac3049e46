import type { JsonObject } from '@agent-service/sdk'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type CredentialContent,
  type CredentialReference,
  credentialExistsError,
  type NewCredential,
} from '@agent-service/sdk/services/credentials'
import type { Database, Page, Query } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import { v7 as uuid } from 'uuid'
import { auditCredential, type CredentialChange } from './audit-credential.js'
import { credentialEntries, membersOf, type StoredCredential, secretsIn, storedId, userIdOf } from './stored-credential.js'

/** A credential and its content. */
export interface OpenCredential {
  readonly record: StoredCredential
  readonly content: CredentialContent
}

/** One credential of one plugin. */
export interface StoredReference extends CredentialReference {
  readonly pluginId: string
}

/** A new credential of one plugin. */
export interface StoreRequest extends NewCredential {
  readonly pluginId: string
  readonly content: CredentialContent
  readonly moved?: { readonly createdAt: number; readonly reauthenticationReason?: string }
  /** The user who signed in for it. */
  readonly signedInBy?: string
}

/** The result of claiming a renewal. */
export type RenewalClaim =
  | { readonly kind: 'claimed'; readonly isOutcomeUnknown: boolean }
  /** Another process is renewing. */
  | { readonly kind: 'held'; readonly until: number }
  /** The credential was deleted or has changed. */
  | { readonly kind: 'changed' }

/**
 * Stores credentials. Their content is sealed, and masked in every log once it was read. Changes of
 * the deployment's credentials are in the audit log.
 */
export interface CredentialStore {
  /** Oldest first. */
  list(query: {
    readonly pluginId: string
    readonly userId: string | null
    readonly purpose?: string
    readonly limit?: number
    readonly cursor?: string
  }): Promise<Page<StoredCredential>>
  find(reference: StoredReference): Promise<StoredCredential | undefined>
  /** Reads the content too. @throws `secret_unreadable`. */
  open(reference: StoredReference): Promise<OpenCredential | undefined>
  /** @throws `credential_exists`. */
  create(request: StoreRequest): Promise<StoredCredential>
  /** Changes what is not secret. `undefined` if it does not exist. */
  change(
    reference: StoredReference,
    members: { readonly label?: string; readonly details?: JsonObject },
  ): Promise<StoredCredential | undefined>
  /**
   * Replaces the content. With a generation, it is a renewal of that generation, which is not
   * audited. `undefined` if it does not exist or the generation has changed.
   */
  replace(
    reference: StoredReference,
    content: CredentialContent,
    options?: { readonly generation?: number; readonly signedInBy?: string },
  ): Promise<StoredCredential | undefined>
  /**
   * Claims the right to renew the tokens of a generation until `until`. An expired claim of another
   * process counts as free.
   */
  claimRenewal(
    reference: StoredReference,
    generation: number,
    lease: { readonly holder: string; readonly until: number; readonly now: number },
  ): Promise<RenewalClaim>
  /** Releases that claim without new tokens. */
  releaseRenewal(reference: StoredReference, generation: number, end: { readonly isOutcomeUnknown: boolean }): Promise<void>
  /**
   * Records that the tokens of a generation cannot be renewed. False if they have been replaced.
   */
  requireReauthentication(reference: StoredReference, generation: number, reason: string): Promise<boolean>
  /** False if there was none. */
  delete(reference: StoredReference): Promise<boolean>
}

export function createCredentialStore(dependencies: {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly secrets: Pick<Secrets, 'protect'>
  readonly clock: Pick<Clock, 'now'>
  readonly audit: Pick<Audit, 'record'>
}): CredentialStore {
  const { database, sealedFields, secrets, clock, audit } = dependencies
  const stored = () => database.collection(credentialEntries)
  const fieldOf = (id: string) => ({ collection: credentialEntries, id, field: 'content' })
  const now = (): string => new Date(clock.now()).toISOString()

  const protect = (content: CredentialContent): void => {
    for (const secret of secretsIn(content)) secrets.protect(secret)
  }
  const seal = (id: string, content: CredentialContent): Promise<string> => {
    protect(content)
    return sealedFields.seal(JSON.stringify(content), fieldOf(id))
  }
  const find = async ({ pluginId, id, owner }: StoredReference): Promise<StoredCredential | undefined> => {
    const record = await stored().get(storedId(pluginId, id))
    return record?.user_id === userIdOf(owner) ? record : undefined
  }
  const update = (
    { pluginId, id, owner }: StoredReference,
    change: (record: StoredCredential) => StoredCredential | undefined,
    changeOf?: (before: StoredCredential, after: StoredCredential) => CredentialChange | undefined,
  ): Promise<StoredCredential | undefined> =>
    database.transaction(async (transaction) => {
      const record = await transaction.get(credentialEntries, storedId(pluginId, id))
      const changed = record?.user_id === userIdOf(owner) ? change(record) : undefined
      if (!record || !changed) return undefined
      transaction.put(credentialEntries, changed)
      const auditedChange = changeOf?.(record, changed)
      if (auditedChange) auditCredential(audit, transaction, auditedChange)
      return changed
    })

  return {
    list({ pluginId, userId, purpose, ...page }) {
      const query: Query =
        purpose === undefined
          ? { index: 'by_owner', equals: [pluginId, userId], ...page }
          : { index: 'by_purpose', equals: [pluginId, userId, purpose], ...page }
      return stored().query(query)
    },
    find,
    async open(reference) {
      const record = await find(reference)
      if (!record) return undefined
      // Only this module writes the content, and a sealed text cannot be changed.
      const content = JSON.parse(await sealedFields.open(record.content, fieldOf(record.id))) as CredentialContent
      protect(content)
      return { record, content }
    },
    async create({ pluginId, owner, id: given, purpose, label, details = {}, content, moved, signedInBy }) {
      const id = given ?? uuid()
      const createdAt = moved ? new Date(moved.createdAt).toISOString() : now()
      const reason = moved?.reauthenticationReason ?? null
      const record: StoredCredential = {
        ...{ id: storedId(pluginId, id), plugin_id: pluginId, user_id: userIdOf(owner), purpose, label, details },
        ...membersOf(content),
        ...{ state: reason === null ? 'ready' : 'reauthentication_required', reason, created_at: createdAt, changed_at: createdAt },
        ...{ generation: 1, renewal: null, renewal_unknown: false },
        content: await seal(storedId(pluginId, id), content),
      }
      await database.transaction(async (transaction) => {
        if (await transaction.get(credentialEntries, record.id)) throw credentialExistsError.create({ id })
        transaction.put(credentialEntries, record)
        const kind = signedInBy === undefined ? 'credential.created' : 'credential.signed_in'
        if (!moved) auditCredential(audit, transaction, { kind, after: record, by: signedInBy })
      })
      return record
    },
    change: (reference, { label, details }) =>
      update(
        reference,
        (record) => ({
          ...record,
          ...(label !== undefined && { label }),
          ...(details && { details: { ...record.details, ...details } }),
        }),
        // Changes of details are for the plugins to audit.
        (before, after) => (before.label === after.label ? undefined : { kind: 'credential.changed', before, after }),
      ),
    async replace(reference, content, { generation, signedInBy } = {}) {
      const sealed = await seal(storedId(reference.pluginId, reference.id), content)
      return update(
        reference,
        (record) =>
          generation !== undefined && record.generation !== generation
            ? undefined
            : {
                ...record,
                ...membersOf(content),
                ...{ state: 'ready', reason: null, changed_at: now(), generation: record.generation + 1 },
                ...{ renewal: null, renewal_unknown: false, content: sealed },
              },
        (before, after) =>
          generation === undefined
            ? { kind: signedInBy === undefined ? 'credential.replaced' : 'credential.signed_in', before, after, by: signedInBy }
            : undefined,
      )
    },
    async claimRenewal(reference, generation, { holder, until, now: at }) {
      let claim: RenewalClaim = { kind: 'changed' }
      await update(reference, (record) => {
        claim = { kind: 'changed' }
        if (record.generation !== generation || record.state !== 'ready') return undefined
        const { renewal } = record
        const isHeld = renewal !== null && renewal.holder !== holder && database.shared && renewal.until > at
        if (isHeld) {
          claim = { kind: 'held', until: renewal.until }
          return undefined
        }
        const isOutcomeUnknown = renewal !== null || record.renewal_unknown
        claim = { kind: 'claimed', isOutcomeUnknown }
        return { ...record, renewal: { holder, until }, renewal_unknown: isOutcomeUnknown }
      })
      return claim
    },
    async releaseRenewal(reference, generation, { isOutcomeUnknown }) {
      await update(reference, (record) =>
        record.generation === generation ? { ...record, renewal: null, renewal_unknown: isOutcomeUnknown } : undefined,
      )
    },
    requireReauthentication: async (reference, generation, reason) =>
      (await update(reference, (record) =>
        record.generation === generation ? { ...record, state: 'reauthentication_required', reason, renewal: null } : undefined,
      )) !== undefined,
    delete: ({ pluginId, id, owner }) =>
      database.transaction(async (transaction) => {
        const record = await transaction.get(credentialEntries, storedId(pluginId, id))
        if (record?.user_id !== userIdOf(owner)) return false
        transaction.delete(credentialEntries, record.id)
        auditCredential(audit, transaction, { kind: 'credential.deleted', before: record })
        return true
      }),
  }
}
