import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * Somebody or something that policies speak of. Types and attributes are those of `resources/policy/schema.cedarschema`; a request that does not
 * fit it is denied.
 */
export interface PolicyEntity {
  /** `User`, `Agent`, `Tool`, … */
  readonly type: string
  /** At most 500 characters. Of a `User`: the account's id; of a `Route`: its operation id. */
  readonly id: string
  /**
   * Null-free JSON; another entity is `{ __entity: { type, id } }`. Those of a `User` and a `Route` come from the service itself, whatever stands
   * here.
   */
  readonly attributes?: JsonObject
  /** What it belongs to: an agent to its user, a tool to its plugin. */
  readonly parents?: readonly PolicyEntity[]
}

/** One question: may `principal` do `action` to `resource`? */
export interface PolicyRequest {
  /** Who would do it. */
  readonly principal: PolicyEntity
  /** One of the schema's actions: `call`, `use_tool`, … */
  readonly action: string
  /** What it would be done to. */
  readonly resource: PolicyEntity
  /** What else the action's policies may ask about. */
  readonly context?: JsonObject
}

/** The answer. Which policies led to it is for the operator's log alone. */
export interface PolicyDecision {
  /** False also where something went wrong. */
  readonly allowed: boolean
}

/**
 * Decides by the policies of the deployment. What no policy permits is denied, `forbid` wins over `permit`, and so does everything that goes wrong:
 * an unknown or disabled user, a request that does not fit the schema, a policy that fails, an engine that cannot be used. A decision that began
 * after a change of policies or roles was acknowledged follows that change.
 */
export interface PolicyService {
  /** Decides one question. Rejects only with the signal's reason. */
  isAuthorized(request: PolicyRequest, options?: { readonly signal?: AbortSignal }): Promise<PolicyDecision>
  /** Decides for a whole list at once: for each resource, in this order, whether it is allowed. Rejects only with the signal's reason. */
  allowedOf(
    question: Omit<PolicyRequest, 'resource'>,
    resources: readonly PolicyEntity[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly boolean[]>
  /** Questions are about to come: what takes its time before the first answer begins now, in the background. Returns at once. */
  expectQuestions(): void
}

/** Decisions by policy. Provided by the kernel. */
export const policyService = defineServiceReference<PolicyService>()('kernel.policies')
