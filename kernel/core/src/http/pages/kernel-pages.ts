import { type JsonValue, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { unauthenticatedError } from '../errors.js'
import { checkReach } from '../request/access.js'
import type { RouteAccess } from '../route-access.js'
import type { DispatchTable } from '../routing/dispatch-table.js'
import type { HttpMetrics } from './http-metrics.js'
import { describeApi } from './openapi.js'
import type { Readiness } from './readiness.js'

/** Probes often come with parameters against caches; they mean nothing. */
const anyQuery = Type.Object({}, { additionalProperties: true })

/** What policies and scopes are asked about where the caller is not on this machine. */
const metricsForOthers = defineRoute({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics in the Prometheus text format',
  auth: 'admin',
  answers: {},
  handle: () => Promise.reject(new Error('It is asked about and never served.')),
})

/** The routes of the HTTP layer itself. */
export function createKernelPages(dependencies: {
  readonly version: string
  readonly readiness: Readiness
  readonly metrics: HttpMetrics
  readonly table: DispatchTable
  readonly routeAccess: () => RouteAccess | undefined
}): readonly HttpRoute[] {
  const { version, readiness, metrics, table, routeAccess } = dependencies
  let described: { readonly routes: unknown; readonly document: JsonValue } | undefined
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      operationId: 'getLiveness',
      summary: 'Whether the process lives',
      tags: ['service'],
      auth: 'public',
      query: anyQuery,
      answers: { 200: { description: 'It does.', schema: Type.Object({ status: Type.Literal('ok') }) } },
      handle: async () => ok({ status: 'ok' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Whether the service can work',
      tags: ['service'],
      auth: 'public',
      query: anyQuery,
      answers: {
        200: { description: 'It can.', schema: Type.Object({ status: Type.Literal('ready') }) },
        503: {
          description: 'It cannot: it is starting, draining, or something broke.',
          schema: Type.Object({
            status: Type.Union([Type.Literal('starting'), Type.Literal('draining'), Type.Literal('impaired')]),
            step: Type.String({ description: 'What is being done or what is missing.' }),
          }),
        },
      },
      handle: async () => {
        const obstacle = readiness.obstacle()
        return obstacle ? { status: 503, kind: 'json', json: { ...obstacle }, headers: { 'retry-after': '1' } } : ok({ status: 'ready' })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Metrics in the Prometheus text format',
      description: 'For administrators, and for callers on the same machine.',
      tags: ['service'],
      auth: 'public',
      query: anyQuery,
      answers: { 200: { description: 'The metrics.', contentType: 'text/plain' } },
      handle: async ({ principal, loopback }) => {
        if (!loopback) {
          if (!principal) throw unauthenticatedError.create({})
          await checkReach(metricsForOthers, principal, routeAccess())
        }
        const { contentType, text } = await metrics.text()
        return { status: 200, kind: 'bytes', contentType, bytes: Buffer.from(text) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/version',
      operationId: 'getVersion',
      summary: 'The version of the service',
      tags: ['service'],
      auth: 'public',
      answers: {
        200: {
          description: 'The versions.',
          schema: Type.Object({
            version: Type.String({ description: 'Of the service.' }),
            api: Type.Integer({ description: 'Generation of the HTTP API.' }),
          }),
        },
      },
      handle: async () => ok({ version, api: 1 }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/openapi.json',
      operationId: 'getApiDescription',
      summary: 'This description (OpenAPI 3.1)',
      tags: ['service'],
      auth: 'public',
      answers: { 200: { description: 'The description of every route that is served now.', schema: Type.Unknown() } },
      handle: async () => {
        const { entries } = table.current()
        if (described?.routes !== entries) described = { routes: entries, document: describeApi(entries, version) }
        return ok(described.document)
      },
    }),
  ]
}
