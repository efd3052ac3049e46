import type { FilePattern } from '../contracts/policy-engine/policy-engine.js'
import { defineError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * A person or thing that policies name. Types and attributes are those of
 * `resources/policy/schema.cedarschema`; a request that does not fit it is denied.
 */
export interface PolicyEntity {
  /** `User`, `Agent`, `Tool`, … */
  readonly type: string
  /**
   * At most 2,000 UTF-16 code units. Of a `User`: the account's id; of a `Route`: its operation id.
   */
  readonly id: string
  /**
   * Null-free JSON; another entity is `{ __entity: { type, id } }`. Those of a `User` and a `Route`
   * always come from the service; values here are ignored.
   */
  readonly attributes?: JsonObject
  /** What it belongs to: an agent to its user, a tool to its plugin. */
  readonly parents?: readonly PolicyEntity[]
}

/** One question: may `principal` do `action` to `resource`? */
export interface PolicyRequest {
  /** The principal. */
  readonly principal: PolicyEntity
  /** One of the schema's actions: `call`, `use_tool`, … */
  readonly action: string
  /** The resource. */
  readonly resource: PolicyEntity
  /** What else the action's policies may ask about. */
  readonly context?: JsonObject
}

/** The answer. Which policies led to it is for the operator's log alone. */
export interface PolicyDecision {
  /** Also false after an error. */
  readonly allowed: boolean
}

/**
 * Decides by the policies of the deployment. What no policy permits is denied, `forbid` wins over
 * `permit`, and so does everything that goes wrong: an unknown or disabled user, a request that
 * does not fit the schema, a policy that fails, an engine that cannot be used. A decision that
 * began after a change of policies or roles was acknowledged follows that change.
 *
 * @example
 * const { allowed } = await context.use(policyService).isAuthorized({
 *   principal: { type: 'User', id: userId },
 *   action: 'read_file',
 *   resource: { type: 'File', id: 'notes/today.md' },
 * })
 */
export interface PolicyService {
  /** Decides one question. Rejects only with the signal's reason. */
  isAuthorized(request: PolicyRequest, options?: { readonly signal?: AbortSignal }): Promise<PolicyDecision>
  /**
   * Decides for a whole list at once: for each resource, in this order, whether it is allowed.
   * Rejects only with the signal's reason.
   */
  allowedOf(
    question: Omit<PolicyRequest, 'resource'>,
    resources: readonly PolicyEntity[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly boolean[]>
  /**
   * By which paths the present policies tell files apart, so that not every file must be asked
   * about: two that fit the same of these patterns are decided alike, if all else is equal.
   * `undefined`: they may be told apart in other ways, or are not known now.
   */
  filePatterns(): Promise<readonly FilePattern[] | undefined>
  /** Announces questions: slow preparation begins now, in the background. Returns at once. */
  expectQuestions(): void
}

/** Decisions by policy. Provided by the kernel. */
export const policyService = defineServiceReference<PolicyService>()('kernel.policies')

/** A policy forbids an operation of the API to a user, directly or through another one. */
export const operationForbiddenError = defineError<{ readonly operation: string }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ operation }) => `This account may not do this: the policies of this service do not permit “${operation}”.`,
})

/** The question whether a user may call an operation of the API. */
export interface OperationQuestion {
  /** The user, even if an actor acts for them. */
  readonly userId: string
  /** The operation id of a route that is served. */
  readonly operation: string
  /** Ends the wait for the answer. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Whether the policies permit a user an operation of the API, with the user's stored role. Rejects
 * only with the signal's reason.
 */
export async function permitsOperation(
  policies: Pick<PolicyService, 'isAuthorized'>,
  { userId, operation, signal }: OperationQuestion,
): Promise<boolean> {
  const question = { principal: { type: 'User', id: userId }, action: 'call', resource: { type: 'Route', id: operation } }
  return (await policies.isAuthorized(question, signal ? { signal } : {})).allowed
}

/**
 * For code that does the same as an operation of the API: a run that a plugin starts writes a
 * message, as `createMessage` does. A route declares `includes` instead. @throws `forbidden` if the
 * policies do not permit the user that operation, the signal's reason.
 */
export async function requireOperation(policies: Pick<PolicyService, 'isAuthorized'>, question: OperationQuestion): Promise<void> {
  if (!(await permitsOperation(policies, question))) throw operationForbiddenError.create({ operation: question.operation })
}
