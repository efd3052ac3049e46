import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { demoLinkInvalidError } from '../records/errors.js'
import type { DemoSignIn } from '../sessions/demo-sign-in.js'
import type { RefreshCookie } from '../sessions/refresh-cookie.js'
import { authBodyLimit } from './account-fields.js'
import { originOf } from './route-origin.js'
import { signedInSchema } from './sign-in-routes.js'

/** `POST /api/auth/demo`, in the demo alone: redeems the link that the start printed. */
export const createDemoRoute = ({ demo, cookie }: { readonly demo: DemoSignIn; readonly cookie: RefreshCookie }): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/auth/demo',
    operationId: 'signInToDemo',
    summary: 'Sign in with the link of the demo',
    description: 'Only in the demo, from this machine, once, within ten minutes of its start.',
    tags: ['accounts'],
    auth: 'public',
    body: { kind: 'json', schema: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }), limit: authBodyLimit },
    errors: [demoLinkInvalidError],
    answers: { 200: { description: 'A new session.', schema: signedInSchema } },
    async handle(request) {
      const { answer, refresh } = await demo.enter(request.body.token, { ...originOf(request), loopback: request.loopback })
      return { ...ok({ ...answer }), headers: { 'set-cookie': cookie.set(refresh.token, refresh.expiresAt) } }
    },
  })
