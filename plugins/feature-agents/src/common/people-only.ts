import { defineError } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** What a program that acts for a person may not do in their place. */
export const peopleOnlyError = defineError<{ readonly what: string }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ what }) =>
    `Only a person may ${what}; a program that acts for one may not. Do it in the console, or with a token of your own.`,
})

/**
 * Lets people and their own tokens pass. An agent, an app or an MCP server could otherwise give itself what a person has kept from it: its
 * principal has an `actor`. `what` completes “Only a person may …”. @throws `forbidden`.
 */
export function refuseActors(request: Pick<RouteRequest, 'principal'>, what: string): void {
  if (request.principal?.actor) throw peopleOnlyError.create({ what })
}
