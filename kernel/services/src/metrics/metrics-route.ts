import { unauthenticatedError } from '@agent-service/kernel-core/http'
import { checkReach, type RouteAccess } from '@agent-service/kernel-core/http/request'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'

const metricsExample = '# TYPE http_requests_total counter\nhttp_requests_total{operation="getVersion",method="GET",status="200"} 1\n'

/** The route that policies and scopes are checked against if the caller is not on this machine. */
const metricsForOthers = defineRoute({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics in the Prometheus text format',
  auth: 'admin',
  scope: ['admin', 'metrics'],
  answers: {},
  handle: () => Promise.reject(new Error('This route is only checked and never served.')),
})

/**
 * The route for the metrics: without a credential for callers on this machine, otherwise for
 * administrators, whose scraper needs no other scope than `metrics`. `read` returns them in the
 * Prometheus text format.
 */
export const createMetricsRoute = (
  routeAccess: RouteAccess,
  read: () => Promise<{ readonly contentType: string; readonly text: string }>,
): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Get metrics in the Prometheus text format',
    description:
      'For administrators, also with a token that has only the scope `metrics`, and without a credential for callers on the same machine.',
    tags: ['service'],
    auth: 'public',
    query: Type.Object({}, { additionalProperties: true }),
    answers: { 200: { description: 'The metrics of the process.', contentType: 'text/plain', example: metricsExample } },
    handle: async ({ principal, loopback }) => {
      if (!loopback) {
        if (!principal) throw unauthenticatedError.create({})
        await checkReach(metricsForOthers, principal, routeAccess)
      }
      const { contentType, text } = await read()
      return { status: 200, kind: 'bytes', contentType, bytes: Buffer.from(text) }
    },
  })
