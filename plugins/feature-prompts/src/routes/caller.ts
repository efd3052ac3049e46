import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { type PolicyService, permitsOperation } from '@agent-service/sdk/services/policy'
import type { PromptEditor } from '../service/prompt-changes.js'

/** The caller's user id. Every route here needs a user, so the host never calls without. */
export function callerOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}

/** The caller with what the policies say about sharing. A token also needs the scope of the operation that they are asked about. */
export async function editorOf(
  request: Pick<RouteRequest, 'principal' | 'signal'>,
  policies: Pick<PolicyService, 'isAuthorized'>,
): Promise<PromptEditor> {
  const { signal } = request
  const userId = callerOf(request)
  const hasScope = request.principal?.scopes.includes('admin') === true
  return { userId, signal, mayShare: hasScope && (await permitsOperation(policies, { userId, operation: 'sharePrompt', signal })) }
}
