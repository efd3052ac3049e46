import { scopesOf } from '@agent-service/kernel-core/http/request'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'

/** Who may call a route, in words. */
export function rightsOf(route: HttpRoute): readonly string[] {
  const { auth, actors = [], includes = [], session, confirmed } = route
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``)
  return [
    ...(auth === 'admin' ? ['Only for administrators.'] : []),
    ...(scopes.length === 0
      ? []
      : [`A personal access token needs the scope ${scopes.join(' or ')}${scopes.length > 1 ? ', depending on the body' : ''}.`]),
    ...(session ? ['Requires a session; personal access tokens and ephemeral tokens are not accepted.'] : []),
    ...(confirmed
      ? [
          'Requires a session that was confirmed with `POST /api/auth/confirm` in the last five minutes; personal access tokens and ephemeral tokens are not accepted.',
        ]
      : []),
    ...(actors.length === 0 ? [] : [`Ephemeral tokens of these actors are accepted: ${actors.join(', ')}.`]),
    ...(includes.length === 0
      ? []
      : [`A policy that forbids ${includes.map((id) => `\`${id}\``).join(' or ')} also forbids this operation.`]),
  ]
}
