import { randomBytes } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { IdentityProvider } from '../provider/identity-provider.js'
import type { PendingSignIns } from '../sign-in/pending-sign-ins.js'
import { checkReturnPath } from '../sign-in/return-path.js'
import { answerToPerson, refusalAnswers } from './answer-to-person.js'

const querySchema = Type.Object({
  return_to: Type.Optional(
    Type.String({ maxLength: 3_000, description: 'Where to go after the sign-in: a path of the pages. Default: `/`.' }),
  ),
  setup_code: Type.Optional(Type.String({ maxLength: 200, description: 'For the first account, from another machine.' })),
})

/** 256 random bits in base64url: a state, a nonce, or a PKCE verifier (RFC 7636, 4.1). */
const randomText = (): string => randomBytes(32).toString('base64url')

/** Sends a browser to the identity provider. */
export function createLoginRoute(dependencies: {
  readonly provider: Pick<IdentityProvider, 'authorizationUrl'>
  readonly pendingSignIns: PendingSignIns
  readonly urls: Urls
}): HttpRoute {
  const { provider, pendingSignIns, urls } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/auth/sso/login',
    operationId: 'beginSingleSignOn',
    summary: 'Sign in through the identity provider',
    description:
      'For browsers to navigate to. The identity provider sends them back to `/api/auth/sso/callback`, and that to `return_to`, signed in by the refresh cookie. A request that does not accept `text/html` gets errors as problems.',
    tags: ['accounts'],
    auth: 'public',
    query: querySchema,
    answers: { 303: { description: 'To the identity provider.' }, ...refusalAnswers },
    async handle(request) {
      try {
        const { return_to: returnTo = '/', setup_code: setupCode } = request.query
        const returnPath = checkReturnPath(returnTo)
        const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()]
        const location = await provider.authorizationUrl(state, { nonce, codeVerifier })
        const pending = { nonce, codeVerifier, returnPath, ...(setupCode === undefined ? {} : { setupCode }) }
        const cookies = await pendingSignIns.begin(state, pending, request.cookies ?? {})
        return { status: 303, kind: 'empty', headers: { location }, cookies }
      } catch (error) {
        return answerToPerson(request, error, { home: urls.page('/') })
      }
    },
  })
}
