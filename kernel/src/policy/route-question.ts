import type { JsonObject } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { EngineQuestion } from '@agent-service/sdk/contracts/policy-engine'
import { scopesOf } from '../http/request/access.js'

/** What policies can ask of a route. Where one of several scopes does, the first stands for them. */
export function routeAttributes(route: HttpRoute): JsonObject {
  const [scope] = scopesOf(route)
  return { operation_id: route.operationId, level: route.auth, ...(scope === undefined ? {} : { scope }) }
}

/** The question whether somebody in this role may call a route. */
export function routeQuestion(caller: { readonly userId: string; readonly role: string }, route: HttpRoute): EngineQuestion {
  const principal = { type: 'User', id: caller.userId }
  const resource = { type: 'Route', id: route.operationId }
  return {
    principal,
    action: 'call',
    resource,
    context: {},
    entities: [
      { ...principal, attributes: { role: caller.role }, parents: [] },
      { ...resource, attributes: routeAttributes(route), parents: [] },
    ],
  }
}
