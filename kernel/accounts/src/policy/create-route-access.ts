import type { RouteAccess } from '@agent-service/kernel-core/http'
import type { Logger } from '@agent-service/sdk'
import type { HttpRoute, Principal } from '@agent-service/sdk/contracts/http-route'
import { policiesUnavailableError } from './errors.js'
import { routeQuestion } from './known-entities.js'
import type { PolicyDecisions } from './policy-decisions.js'
import type { KnownEntities } from './read-questions.js'

/** Decides about routes by policy. Only the log states which policy denied a call. */
export function createRouteAccess(dependencies: {
  readonly decisions: PolicyDecisions
  readonly known: Pick<KnownEntities, 'user'>
  /** The currently served routes. */
  readonly routes: () => readonly { readonly route: HttpRoute }[]
  readonly log: Logger
}): RouteAccess {
  const { routes, log } = dependencies
  return {
    async mayCall(principal, route) {
      if (!(await isPermitted(dependencies, principal, route))) return false
      for (const operation of route.includes ?? []) {
        const included = routes().find((served) => served.route.operationId === operation)?.route
        if (!included)
          log.warn('A call was denied because it includes an operation that is not served.', {
            operation: route.operationId,
            includes: operation,
          })
        if (!included || !(await isPermitted(dependencies, principal, included))) return false
      }
      return true
    },
  }
}

/** Whether the policies permit one operation. */
async function isPermitted(
  { decisions, known, log }: { readonly decisions: PolicyDecisions; readonly known: Pick<KnownEntities, 'user'>; readonly log: Logger },
  principal: Principal,
  route: HttpRoute,
): Promise<boolean> {
  const { userId, role } = principal
  const read = async () => {
    // The first decision may take a while, and the role may have changed since the caller was
    // authenticated.
    const user = await known.user(userId)
    // A principal that acts for a user never counts as an admin, whatever the stored role.
    const isUnchanged = principal.actor ? user !== undefined && role === 'user' : user?.['role'] === role
    return [isUnchanged ? { request: routeQuestion(principal, route) } : { reason: 'the caller’s role has changed' }]
  }
  const decision = decisions.remembered(routeQuestion(principal, route)) ?? (await decisions.decide(read).catch(refuseToDecide))[0]
  if (decision?.allowed) return true
  const fields = { user_id: userId, role, operation: route.operationId, policies: decision?.policyIds ?? [] }
  if (fields.policies.length > 0) log.info('A policy forbade a call.', fields)
  else log.debug('No policy permitted a call.', fields)
  return false
}

function refuseToDecide(error: unknown): never {
  throw policiesUnavailableError.isInstance(error)
    ? error
    : policiesUnavailableError.create({ reason: String(error) }, { cause: error, retryAfterSeconds: 5 })
}
