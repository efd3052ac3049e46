import { named, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Readiness } from './readiness.js'

/** Probes often add parameters to avoid caches; they are ignored. */
const anyQuery = Type.Object({}, { additionalProperties: true })

/** The routes of the HTTP layer itself. */
export function createKernelPages(dependencies: { readonly version: string; readonly readiness: Readiness }): readonly HttpRoute[] {
  const { version, readiness } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      operationId: 'getLiveness',
      summary: 'Check that the process is alive',
      tags: ['service'],
      auth: 'public',
      query: anyQuery,
      answers: { 200: { description: 'The process is alive.', schema: named('Liveness', Type.Object({ status: Type.Literal('ok') })) } },
      handle: async () => ok({ status: 'ok' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Check that the service is ready for requests',
      tags: ['service'],
      auth: 'public',
      query: anyQuery,
      answers: {
        200: { description: 'The service is ready.', schema: named('Readiness', Type.Object({ status: Type.Literal('ready') })) },
        503: {
          description: 'The service is not ready: it is starting, draining or impaired.',
          schema: named(
            'Unreadiness',
            Type.Object({
              status: Type.Union([Type.Literal('starting'), Type.Literal('draining'), Type.Literal('impaired')]),
              step: Type.String({ description: 'The current step of the start or stop, or what is impaired.', examples: ['migrations'] }),
            }),
          ),
        },
      },
      handle: async () => {
        const obstacle = readiness.obstacle()
        return obstacle ? { status: 503, kind: 'json', json: { ...obstacle }, headers: { 'retry-after': '1' } } : ok({ status: 'ready' })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/version',
      operationId: 'getVersion',
      summary: 'Get the version of the service and of its HTTP API',
      tags: ['service'],
      auth: 'public',
      actors: actorKinds,
      answers: {
        200: {
          description: 'The versions.',
          schema: named(
            'Version',
            Type.Object({
              version: Type.String({ description: 'Version of the service.', examples: ['1.0.0'] }),
              api: Type.Integer({ description: 'Major version of the HTTP API.' }),
            }),
          ),
        },
      },
      handle: async () => ok({ version, api: 1 }),
    }),
  ]
}
