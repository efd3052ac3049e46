import { namedObject, Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
  requireConfirmedAdmin,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  credentialExistsError,
  credentialInvalidError,
  credentialNotFoundError,
  credentialUnavailableError,
  reauthenticationRequiredError,
} from '@agent-service/sdk/services/credentials'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connections } from '../connections/connections.js'
import type { CredentialAudit } from '../credentials/credential-audit.js'
import { credentialInUseError, credentialUntestableError } from '../credentials/errors.js'
import { credentialSchema, type ManagedCredential } from '../credentials/managed-credential.js'
import type { ManagedCredentials } from '../credentials/managed-credentials.js'
import { apiKey, brandName, credentialLabel } from './credential-fields.js'
import { connectionsUsing, type TestCredential } from './test-credential.js'

export const credentialsPath = '/api/admin/credentials'
export const credentialTags = ['credentials']
const params = Type.Object({ credential_id: Type.String({ minLength: 1, maxLength: 100 }) })
const checkSchema = namedObject('CredentialCheck', { ok: Type.Boolean(), message: Type.String(), checked_at: Type.String() })

/** `/api/admin/credentials`: keys and accounts that connections refer to by `credential_id`. */
export function createCredentialRoutes(dependencies: {
  readonly managed: ManagedCredentials
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly test: TestCredential
  readonly audit: CredentialAudit
  readonly clock: Pick<Clock, 'now'>
}): readonly HttpRoute[] {
  const { managed, catalogue, connections, test, audit, clock } = dependencies
  const one = async (id: string): Promise<ManagedCredential> => {
    const credential = await managed.find(id)
    if (!credential) throw notFoundError.create({ what: 'credential' })
    return credential
  }
  const present = (credential: ManagedCredential) => presentCredential(credential, connections)

  return [
    defineRoute({
      method: 'GET',
      path: credentialsPath,
      operationId: 'listCredentials',
      summary: 'List managed credentials',
      tags: credentialTags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, oldest first.', schema: pageSchema(credentialSchema) } },
      async handle({ query: { limit = 50, cursor } }) {
        const page = await managed.list({ limit, ...(cursor !== undefined && { cursor }) })
        return ok({ items: page.items.map(present), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: credentialsPath,
      operationId: 'createCredential',
      summary: 'Store an API key for a brand',
      description:
        'The key is stored encrypted. Connections of the brand refer to it by `credential_id`. Storing does not test the key: use `test`.',
      tags: credentialTags,
      auth: 'admin',
      body: { kind: 'json', schema: Type.Object({ brand: brandName, label: credentialLabel, api_key: apiKey }) },
      errors: [credentialExistsError, credentialInvalidError],
      answers: { 201: { description: 'The credential.', schema: credentialSchema } },
      async handle(request) {
        const { brand: name, label, api_key: key } = request.body
        const brand = keyedBrand(name, catalogue)
        const credential = await managed.create({ brand, label: label.trim(), key })
        return created(present(credential))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${credentialsPath}/{credential_id}`,
      operationId: 'getCredential',
      summary: 'Get a managed credential',
      tags: credentialTags,
      auth: 'admin',
      params,
      errors: [credentialNotFoundError],
      answers: { 200: { description: 'The credential, without its secret.', schema: credentialSchema } },
      handle: async ({ params: { credential_id: id } }) => ok(present(await one(id))),
    }),
    defineRoute({
      method: 'PATCH',
      path: `${credentialsPath}/{credential_id}`,
      operationId: 'changeCredential',
      summary: 'Rename a managed credential, or replace its key',
      description:
        'A new key applies to the next call of every connection that uses the credential; while one does, it needs a confirmed session. Accounts have no key: sign in again.',
      tags: credentialTags,
      auth: 'admin',
      params,
      body: { kind: 'json', schema: Type.Object({ label: Type.Optional(credentialLabel), api_key: Type.Optional(apiKey) }) },
      errors: [credentialNotFoundError, credentialExistsError, credentialInvalidError, sessionRequiredError, confirmationRequiredError],
      answers: { 200: { description: 'The credential.', schema: credentialSchema } },
      async handle(request) {
        const { id, kind } = await one(request.params.credential_id)
        const { label, api_key: key } = request.body
        if (key !== undefined && kind !== 'api_key')
          throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/api_key', message: 'an account has no key' }] })
        // Else a token alone would have conversations run through another's account.
        if (key !== undefined && connectionsUsing(id, connections).length > 0) requireConfirmedAdmin(request.principal)
        if (label !== undefined) await managed.change(id, { label: label.trim() })
        if (key !== undefined) {
          await managed.replaceKey(id, key)
          await managed.change(id, { check: { checked_at: null, check_ok: null } })
        }
        return ok(present(await one(id)))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${credentialsPath}/{credential_id}`,
      operationId: 'deleteCredential',
      summary: 'Delete a managed credential',
      description: 'Refused with `credential_in_use` while a connection names it.',
      tags: credentialTags,
      auth: 'admin',
      params,
      errors: [credentialInUseError, credentialNotFoundError],
      answers: { 204: { description: 'Deleted.' } },
      async handle(request) {
        const credential = await one(request.params.credential_id)
        const users = connectionsUsing(credential.id, connections).map(({ handle }) => handle)
        if (users.length > 0) throw credentialInUseError.create({ connections: users })
        if (!(await managed.delete(credential.id, { signal: request.signal }))) throw notFoundError.create({ what: 'credential' })
        return noContent()
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${credentialsPath}/{credential_id}/test`,
      operationId: 'testCredential',
      summary: 'Test a managed credential',
      description: 'Makes the smallest possible model call with it, which costs a few tokens. Responds within about a minute.',
      tags: credentialTags,
      auth: 'admin',
      rateClass: 'expensive',
      params,
      errors: [credentialUntestableError, credentialNotFoundError, reauthenticationRequiredError, credentialUnavailableError],
      answers: { 200: { description: 'Whether a model answered.', schema: checkSchema } },
      async handle(request) {
        const credential = await one(request.params.credential_id)
        const { ok: isOk, message } = await test(credential, { signal: request.signal })
        const checkedAt = new Date(clock.now()).toISOString()
        await managed.change(credential.id, { check: { checked_at: checkedAt, check_ok: isOk } })
        await audit('credential.tested', credential, actorOf(request), { ok: isOk })
        return ok({ ok: isOk, message, checked_at: checkedAt })
      },
    }),
  ]
}

/** With the connections that use it. */
export const presentCredential = (credential: ManagedCredential, connections: Connections) => ({
  ...credential,
  connections: connectionsUsing(credential.id, connections).map(({ handle }) => handle),
})

/** The caller of a request, for the audit log. */
export const actorOf = ({ principal, address }: Pick<RouteRequest, 'principal' | 'address'>) => ({
  userId: principal?.userId ?? '',
  address,
})

/** The canonical id of a brand. @throws `invalid_request` for a brand that takes no keys. */
function keyedBrand(name: string, catalogue: Catalogue): string {
  const brand = catalogue.brand(name)
  const compatible = brand ? undefined : catalogue.compatibleBrand(name)
  const reason =
    compatible && 'refused' in compatible
      ? `cannot be used: ${compatible.refused}`
      : brand && !brand.authentication.includes('api_key')
        ? 'does not take API keys'
        : undefined
  if (reason !== undefined) throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/brand', message: reason }] })
  return brand?.id ?? name
}
