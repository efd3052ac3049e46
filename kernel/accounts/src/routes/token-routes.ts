import { namedObject, Type } from '@agent-service/sdk'
import {
  accessScopes,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { tooManyTokensError } from '../records/errors.js'
import type { PersonalAccessTokenRecord } from '../records/records.js'
import { defaultTokenScopes, type PersonalAccessTokens } from '../tokens/personal-access-tokens.js'
import { authBodyLimit } from './account-fields.js'
import { callerOf, sessionIdOf } from './own-session.js'

const scopeSchema = Type.Union(accessScopes.map((scope) => Type.Literal(scope)))
const timeOrNull = Type.Union([Type.String(), Type.Null()])

const tokenFields = {
  id: Type.String(),
  name: Type.String({ examples: ['Backup script'] }),
  prefix: Type.String({ examples: ['svc_pat_a1B2'], description: 'The beginning of the token.' }),
  scopes: Type.Array(scopeSchema),
  created_at: Type.String(),
  expires_at: timeOrNull,
  last_used_at: timeOrNull,
}

const tokenSchema = namedObject('Token', tokenFields)
const createdTokenSchema = namedObject('CreatedToken', {
  ...tokenFields,
  token: Type.String({ description: 'The token itself. It is shown only once.', examples: ['svc_pat_…'] }),
})

const newTokenSchema = namedObject('CreateToken', {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Its purpose.', examples: ['Backup script'] }),
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Default: valid until it is revoked.' })),
  scopes: Type.Optional(
    Type.Array(scopeSchema, { minItems: 1, uniqueItems: true, description: `Default: ${defaultTokenScopes.join(', ')}.` }),
  ),
})

const shown = ({ id, name, prefix, scopes, created_at, expires_at, last_used_at }: PersonalAccessTokenRecord) => ({
  ...{ id, name, prefix, scopes: [...scopes], created_at, expires_at, last_used_at },
})

/** Tokens for programs. A token may list tokens, but neither create nor revoke them. */
export function createTokenRoutes(dependencies: {
  readonly accounts: UserAccounts
  readonly tokens: PersonalAccessTokens
}): readonly HttpRoute[] {
  const { accounts, tokens } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/auth/tokens',
      operationId: 'listTokens',
      summary: "The caller's personal access tokens, the latest first",
      tags: ['accounts'],
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(tokenSchema) } },
      async handle({ principal, query }) {
        const { id } = await callerOf(accounts, principal)
        const page = await tokens.listOf(id, query)
        return ok({ items: page.items.map(shown), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/tokens',
      operationId: 'createToken',
      summary: 'Create a personal access token',
      description: 'The token itself is only in this response.',
      tags: ['accounts'],
      auth: 'user',
      session: true,
      body: { kind: 'json', schema: newTokenSchema, limit: authBodyLimit },
      errors: [tooManyTokensError],
      answers: { 201: { description: 'The token.', schema: createdTokenSchema } },
      async handle({ principal, body, address }) {
        sessionIdOf(principal)
        const input = {
          name: body.name,
          ...(body.expires_in_days === undefined ? {} : { expiresInDays: body.expires_in_days }),
          ...(body.scopes === undefined ? {} : { scopes: body.scopes }),
        }
        const { record, token } = await tokens.create(await callerOf(accounts, principal), input, address)
        return created({ ...shown(record), token })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/auth/tokens/{token_id}',
      operationId: 'revokeToken',
      summary: 'Revoke a personal access token',
      description: 'It is invalid from the next request on; streams that it opened end.',
      tags: ['accounts'],
      auth: 'user',
      session: true,
      params: Type.Object({ token_id: Type.String() }),
      answers: { 204: { description: 'The token was revoked.' } },
      async handle({ principal, params, address }) {
        sessionIdOf(principal)
        await tokens.revoke(principal?.userId ?? '', params.token_id, address)
        return noContent()
      },
    }),
  ]
}
