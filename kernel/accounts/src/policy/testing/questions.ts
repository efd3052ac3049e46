import type { JsonObject } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { PolicyEntity, PolicyRequest } from '@agent-service/sdk/services/policy'

/** A route of a level, with the operation id `test-<level>`. */
export const testRoute = (auth: HttpRoute['auth']): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: `/api/test/${auth}`,
    operationId: `test-${auth}`,
    summary: 'For tests',
    auth,
    answers: { 204: { description: 'Done.' } },
    handle: async () => noContent(),
  })

/** A principal with a role, as in a request. */
export const principalOf = (userId: string, role: 'admin' | 'user'): Principal => ({
  ...{ userId, role, username: userId, handle: userId },
  scopes: [],
})

/** May a user call {@link testRoute}? */
export const callOf = (id: string, operation = 'test-user'): PolicyRequest => ({
  principal: { type: 'User', id },
  action: 'call',
  resource: { type: 'Route', id: operation },
})

/** May `eve` use a tool? No shipped policy permits it. */
export const useOf = (context: JsonObject = {}, attributes: JsonObject = { name: 'search' }): PolicyRequest => ({
  principal: { type: 'User', id: 'eve' },
  action: 'use_tool',
  resource: { type: 'Tool', id: 'search', attributes },
  context,
})

/** This many tools. */
export const tools = (count: number): readonly PolicyEntity[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'Tool', id: `tool-${index}`, attributes: { name: `tool-${index}` } }))
