import { scopesOf } from '@agent-service/kernel-core/http/request'
import type { JsonObject } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { EngineQuestion } from '@agent-service/sdk/contracts/policy-engine'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { KnownEntities } from './read-questions.js'

/**
 * The service's current attributes of its users and routes. `former`: those of operations whose
 * plugin does not run.
 */
export function createKnownEntities(dependencies: {
  readonly accounts: Pick<Accounts, 'get'>
  readonly routes: () => readonly { readonly route: HttpRoute }[]
  readonly former?: (operationId: string) => JsonObject | undefined
}): KnownEntities {
  const { accounts, routes, former } = dependencies
  return {
    async user(id): Promise<JsonObject | undefined> {
      const account = await accounts.get(id)
      return account && { role: account.role }
    },
    route(id) {
      const found = routes().find(({ route }) => route.operationId === id)
      return found ? routeAttributes(found.route) : former?.(id)
    },
  }
}

/**
 * The attributes of a route for policies. If one of several scopes suffices, the first one is used.
 */
export function routeAttributes(route: HttpRoute): JsonObject {
  const [scope] = scopesOf(route)
  return { operation_id: route.operationId, level: route.auth, ...(scope === undefined ? {} : { scope }) }
}

/** The question whether a user with this role may call a route. */
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
