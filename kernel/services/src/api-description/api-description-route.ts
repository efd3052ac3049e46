import type { DispatchTable } from '@agent-service/kernel-core/http/routing'
import { type JsonValue, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { describeApi } from './openapi.js'

/** The route of the OpenAPI document. The document is made again when the routes have changed. */
export function createApiDescriptionRoute({ table, version }: { readonly table: DispatchTable; readonly version: string }): HttpRoute {
  let described: { readonly routes: unknown; readonly document: JsonValue } | undefined
  return defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getApiDescription',
    summary: 'Get the OpenAPI 3.1 description of the HTTP API',
    tags: ['service'],
    auth: 'public',
    answers: {
      200: { description: 'The OpenAPI document. It contains every route that is served at the moment.', schema: Type.Unknown() },
    },
    handle: async () => {
      const { entries } = table.current()
      if (described?.routes !== entries) described = { routes: entries, document: describeApi(entries, version) }
      return ok(described.document)
    },
  })
}
