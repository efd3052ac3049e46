import type { Logger } from '@agent-service/sdk'
import type { RouteAccess } from '../http/route-access.js'
import { policiesUnavailableError } from './errors.js'
import type { PolicyDecisions } from './policy-decisions.js'
import type { KnownEntities } from './read-questions.js'
import { routeQuestion } from './route-question.js'

/** Decides about routes by policy. Which policy denied a call is for the log alone. */
export function createRouteAccess(dependencies: {
  readonly decisions: PolicyDecisions
  readonly known: Pick<KnownEntities, 'user'>
  readonly log: Logger
}): RouteAccess {
  const { decisions, known, log } = dependencies
  return {
    async mayCall(principal, route) {
      const { userId, role } = principal
      const read = async () => {
        // Deciding may take a while the first time, and the role may have changed since the caller was proven.
        const user = await known.user(userId)
        // What acts for somebody is never an admin: it is asked about as a user, whatever the stored role.
        const isUnchanged = principal.actor ? user !== undefined && role === 'user' : user?.['role'] === role
        return [isUnchanged ? { request: routeQuestion(principal, route) } : { reason: 'the caller’s role has changed' }]
      }
      const decision =
        decisions.remembered(routeQuestion(principal, route)) ??
        (
          await decisions.decide(read).catch((error: unknown) => {
            throw policiesUnavailableError.isInstance(error)
              ? error
              : policiesUnavailableError.create({ reason: String(error) }, { cause: error, retryAfterSeconds: 5 })
          })
        )[0]
      if (decision?.allowed) return true
      const fields = { user_id: userId, role, operation: route.operationId, policies: decision?.policyIds ?? [] }
      if (fields.policies.length > 0) log.info('A policy forbids a call.', fields)
      else log.debug('No policy permits a call.', fields)
      return false
    },
  }
}
