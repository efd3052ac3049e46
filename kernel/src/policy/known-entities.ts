import type { JsonObject } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { KnownEntities } from './read-questions.js'
import { routeAttributes } from './route-question.js'

/** What the service knows of its users and routes, now. */
export function createKnownEntities(dependencies: {
  readonly accounts: Pick<Accounts, 'get'>
  readonly routes: () => readonly { readonly route: HttpRoute }[]
}): KnownEntities {
  const { accounts, routes } = dependencies
  return {
    async user(id): Promise<JsonObject | undefined> {
      const account = await accounts.get(id)
      return account && { role: account.role }
    },
    route(id) {
      const found = routes().find(({ route }) => route.operationId === id)
      return found && routeAttributes(found.route)
    },
  }
}
