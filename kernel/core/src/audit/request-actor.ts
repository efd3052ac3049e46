import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { AuditActor } from './audit-records.js'

/** The actor of a request. */
export const actorOfRequest = ({ principal, address }: Pick<RouteRequest, 'principal' | 'address'>): AuditActor => ({
  userId: principal?.userId ?? null,
  address,
})
