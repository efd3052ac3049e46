import { Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { callerOf } from '../common/caller.js'
import { nameTakenError } from '../common/errors.js'
import type { GrantService } from '../grants/grant-service.js'
import type { LocalCredentials } from '../local/local-credentials.js'
import { secretNotMaskableError } from '../masking/errors.js'
import type { LocalCredential } from '../store/credential.js'
import {
  changeCredentialSchema,
  credentialSchema,
  fieldsOf,
  newCredentialSchema,
  newFieldsSchema,
  viewOfCredential,
} from './credential-schemas.js'

const tags = ['agent-credentials']
const params = Type.Object({ credential_id: Type.String({ minLength: 1, maxLength: 100 }) })

/** What people do with the credentials that they keep here. Values go in, and only those that are no secrets come out. */
export function createCredentialRoutes({
  local,
  grants,
}: {
  readonly local: LocalCredentials
  readonly grants: Pick<GrantService, 'endOfSource'>
}): readonly HttpRoute[] {
  const view = async (credential: LocalCredential) =>
    viewOfCredential(credential, credential.fields.every(({ secret }) => secret) ? new Map() : await local.open(credential))
  return [
    defineRoute({
      method: 'GET',
      path: '/api/credentials',
      operationId: 'listPersonalCredentials',
      summary: 'List your credentials',
      description: 'Those that you keep in the service, the oldest first, without the values of secrets.',
      tags,
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(credentialSchema) } },
      async handle({ query, ...request }) {
        const { items, next_cursor } = await local.list(callerOf(request).userId, query)
        return ok({ items: await Promise.all(items.map(view)), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/credentials',
      operationId: 'createPersonalCredential',
      summary: 'Keep a credential',
      description:
        'Its values are stored encrypted. No agent may use it until you grant it to one. Secrets that are too short to be masked in what an agent prints are refused.',
      tags,
      auth: 'user',
      body: {
        kind: 'json',
        schema: newCredentialSchema,
        example: { name: 'github', title: 'GitHub, work account', fields: [{ name: 'token', value: 'ghp_…', variable: 'GITHUB_TOKEN' }] },
      },
      errors: [nameTakenError, quotaExceededError, secretNotMaskableError],
      answers: { 201: { description: 'The credential.', schema: credentialSchema } },
      async handle({ body, ...request }) {
        const { name, title, fields } = body
        return created(await view(await local.create(callerOf(request).userId, { name, title, fields: fieldsOf(fields) })))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/credentials/{credential_id}',
      operationId: 'getPersonalCredential',
      summary: 'Get one of your credentials',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError],
      answers: { 200: { description: 'The credential.', schema: credentialSchema } },
      async handle({ params: { credential_id: id }, ...request }) {
        const credential = await local.find(callerOf(request).userId, id)
        if (!credential) throw notFoundError.create({ what: 'credential' })
        return ok(await view(credential))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/credentials/{credential_id}',
      operationId: 'changePersonalCredential',
      summary: 'Change the title of a credential, and where new grants bind its fields',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: changeCredentialSchema, example: { title: 'GitHub' } },
      errors: [notFoundError],
      answers: { 200: { description: 'The credential.', schema: credentialSchema } },
      handle: async ({ params: { credential_id: id }, body, ...request }) =>
        ok(await view(await local.change(callerOf(request).userId, id, body))),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/credentials/{credential_id}/fields',
      operationId: 'replacePersonalCredentialFields',
      summary: 'Replace the values of a credential',
      description: 'All fields and values are replaced. Grants stay, and have the new values of the fields that they name.',
      tags,
      auth: 'user',
      params,
      body: {
        kind: 'json',
        schema: Type.Object({ fields: newFieldsSchema }),
        example: { fields: [{ name: 'token', value: 'ghp_…', variable: 'GITHUB_TOKEN' }] },
      },
      errors: [notFoundError, secretNotMaskableError],
      answers: { 200: { description: 'The credential.', schema: credentialSchema } },
      handle: async ({ params: { credential_id: id }, body, ...request }) =>
        ok(await view(await local.replace(callerOf(request).userId, id, fieldsOf(body.fields)))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/credentials/{credential_id}',
      operationId: 'deletePersonalCredential',
      summary: 'Delete a credential',
      description: 'Every grant of it ends at once.',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError],
      answers: { 204: { description: 'Deleted.' } },
      async handle({ params: { credential_id: id }, ...request }) {
        const { userId } = callerOf(request)
        // Before, so that a crash leaves no grant without its credential; and after, for one that was made meanwhile.
        if (await local.find(userId, id)) await grants.endOfSource(id)
        if (!(await local.delete(userId, id))) throw notFoundError.create({ what: 'credential' })
        await grants.endOfSource(id)
        return noContent()
      },
    }),
  ]
}
