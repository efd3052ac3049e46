import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { RouteAccess } from '@agent-service/kernel-core/http'
import type { JsonObject, Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { InjectionToken } from 'tsyringe'
import type { AuditLog } from '../audit/index.js'
import { createPolicyService } from './create-policy-service.js'
import { createRouteAccess } from './create-route-access.js'
import { createEngineAccess } from './engine-access.js'
import { createKnownEntities, routeQuestion } from './known-entities.js'
import { createPolicyAdministration, type PolicyAdministration } from './policy-administration.js'
import { createPolicyDecisions } from './policy-decisions.js'
import { createPolicyRoutes, undoOperations } from './policy-routes.js'
import { createPolicySource } from './policy-source.js'
import { createStoredPolicies } from './stored-policies.js'

/** The dependencies of the policies. */
export interface PoliciesDependencies {
  /** The kernel's own view, opened with `policyCollections` among the rest. */
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly log: Logger
  readonly resources: Resources
  readonly audit: AuditLog
  readonly accounts: Pick<Accounts, 'get'>
  /** The currently served routes. */
  readonly servedRoutes: () => readonly { readonly route: HttpRoute }[]
  /** What is remembered of an operation that is not served now. Default: nothing. */
  readonly formerRoute?: (operationId: string) => JsonObject | undefined
  /** The contributions with the engine. */
  readonly contributions: Pick<Contributions, 'list' | 'acquire' | 'onChange'>
  /** Why no plugin has an engine. */
  readonly missingEngineReason: () => string
}

/** The opened policies; nothing is loaded before the first question. */
export interface Policies {
  readonly service: PolicyService
  readonly routeAccess: RouteAccess
  readonly administration: PolicyAdministration
  readonly routes: readonly HttpRoute[]
  /**
   * Forgets all decisions because roles have changed. Must be called together with the change,
   * before it is acknowledged.
   */
  rolesChanged(): void
  /**
   * Starts and loads the engine in the background, so that the next questions need not wait. A
   * failure shows in {@link failure}.
   */
  expectQuestions(): void
  /**
   * Loads the policies to check whether they can be used.
   * @throws `policies_unavailable`, with the reason in its details.
   */
  load(): Promise<void>
  /** Why no question can be decided, as far as known; `undefined` otherwise. */
  failure(): string | undefined
  /** Called when {@link failure} changes. One listener. */
  onFailureChange(listener: () => void): void
  /** How many decisions are remembered. */
  remembered(): number
  close(): Promise<void>
}

/** Opens policies over the store. */
export function openPolicies(dependencies: PoliciesDependencies): Policies {
  const { database, kernelDatabase, clock, log, resources, audit, accounts, servedRoutes, contributions } = dependencies
  let failureListener: () => void = () => undefined
  const engine = createEngineAccess({ contributions, missingEngineReason: dependencies.missingEngineReason })
  const stored = createStoredPolicies({ database, clock })
  const source = createPolicySource({ engine, stored, resources, clock, log, onFailureChange: () => failureListener() })
  const decisions = createPolicyDecisions({ engine, source, log })
  const { formerRoute } = dependencies
  const known = createKnownEntities({ accounts, routes: servedRoutes, ...(formerRoute && { former: formerRoute }) })
  const administration = createPolicyAdministration({
    ...{ engine, source, decisions, stored, known, audit, kernelDatabase },
    undoQuestions: (userId) =>
      routes.filter(({ operationId }) => isUndoOperation(operationId)).map((route) => routeQuestion({ userId, role: 'admin' }, route)),
  })
  const routes = createPolicyRoutes({ administration })
  const forgetEngine = contributions.onChange(policyEngines, () => {
    decisions.changed()
    source.engineChanged()
    failureListener()
  })
  return {
    service: createPolicyService({ decisions, known, source, log }),
    routeAccess: createRouteAccess({ decisions, known, routes: servedRoutes, log }),
    administration,
    routes,
    rolesChanged: () => decisions.changed(),
    expectQuestions: () => decisions.expectQuestions(),
    load: async () => void (await source.load()),
    failure: () => source.failure(),
    onFailureChange(listener) {
      failureListener = listener
    },
    remembered: () => decisions.size(),
    async close() {
      source.close()
      await forgetEngine()
    },
  }
}

const isUndoOperation = (operationId: string): boolean => undoOperations.some((operation) => operation === operationId)

/** Decisions by policy, for plugins, the HTTP layer and administration. */
export const policiesToken: InjectionToken<Policies> = Symbol('policies')
