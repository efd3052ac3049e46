import type { AuditActor } from '@agent-service/kernel-core/audit'
import { namedObject, Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { policiesBusyError, policyInvalidError, policyLocksOutError, policyReadOnlyError, tooManyPoliciesError } from './errors.js'
import type { AnyPolicy, PolicyAdministration, PolicyInput } from './policy-administration.js'
import { explainedSchema, policyProblemSchema, policySchema, questionSchema, shownPolicy } from './policy-schemas.js'

const tags = ['administration']
const textSchema = Type.String({
  minLength: 1,
  maxLength: 16_384,
  description: 'One policy in the language of the engine: Cedar, unless another one is installed.',
})
const inputSchema = Type.Object({
  text: textSchema,
  description: Type.Optional(Type.String({ maxLength: 500, default: '', description: 'The purpose of the policy.' })),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'With false the policy is stored but has no effect.' })),
})
const idSchema = Type.Object({ policy_id: Type.String({ maxLength: 100 }) })
const answer = (description: string) => ({ description, schema: policySchema })
const failures =
  'Nothing changes if the text is not a valid policy (422 `policy_invalid`, with line and column), or if you could not undo the change (409 `policy_locks_out`).'

const inputOf = ({ text, description = '', enabled = true }: { text: string; description?: string; enabled?: boolean }): PolicyInput => ({
  text,
  description,
  enabled,
})
const actorOf = ({ principal, address }: RouteRequest<unknown, unknown, unknown>): AuditActor => ({
  userId: principal?.userId ?? null,
  address,
})

/** The operations that an admin needs to undo a change of policies. */
export const undoOperations = ['listPolicies', 'getPolicy', 'changePolicy', 'deletePolicy'] as const

/** The routes with which admins manage policies. */
export function createPolicyRoutes({ administration }: { readonly administration: PolicyAdministration }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/policies',
      operationId: 'listPolicies',
      summary: 'List all policies: first those of the service, then those of this deployment',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(policySchema) } },
      async handle({ query }) {
        const { items, next_cursor } = pageOfList(await administration.list(), ({ id }: AnyPolicy) => id, query)
        return ok({ items: items.map(shownPolicy), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/policies',
      operationId: 'createPolicy',
      summary: 'Add a policy of this deployment',
      description: `The policy is in force as soon as the response is sent. ${failures}`,
      tags,
      auth: 'admin',
      body: { kind: 'json', schema: inputSchema },
      errors: [policyInvalidError, policyLocksOutError, tooManyPoliciesError, policiesBusyError],
      answers: { 201: answer('The policy.') },
      handle: async (request) => created(shownPolicy(await administration.create(inputOf(request.body), actorOf(request)))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/policies/check',
      operationId: 'checkPolicy',
      changes: false,
      summary: 'Check a policy without storing it',
      tags,
      auth: 'admin',
      scope: 'admin',
      body: { kind: 'json', schema: Type.Object({ text: textSchema }) },
      answers: {
        200: {
          description: 'The problems for which the policy would be refused, and the warnings.',
          schema: namedObject('PolicyCheck', { problems: Type.Array(policyProblemSchema), warnings: Type.Array(policyProblemSchema) }),
        },
      },
      async handle({ body }) {
        const found = await administration.check(body.text)
        return found.outcome === 'refused'
          ? ok({ problems: found.problems.map((problem) => ({ ...problem })), warnings: [] })
          : ok({ problems: [], warnings: found.warnings.map((warning) => ({ ...warning })) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/policies/explain',
      operationId: 'explainPolicyDecision',
      changes: false,
      summary: 'Explain how a question is decided now, and by which policies',
      description:
        'The service adds its own attributes of users (by account id) and routes (by operation id). A denial without policies means that no policy permits it.',
      tags,
      auth: 'admin',
      body: { kind: 'json', schema: questionSchema, limit: 65_536 },
      answers: { 200: { description: 'The decision.', schema: explainedSchema } },
      async handle({ body }) {
        const { allowed, policies, errors } = await administration.explain(body as PolicyRequest)
        return ok({
          decision: allowed ? 'allow' : 'deny',
          policies: policies.map(({ id, source, effect, description }) => ({ id, source, effect, description })),
          errors: errors.map(({ policyId, message }) => ({ policy_id: policyId, message })),
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/policies/{policy_id}',
      operationId: 'getPolicy',
      summary: 'Get a policy',
      tags,
      auth: 'admin',
      params: idSchema,
      answers: { 200: answer('The policy.') },
      handle: async ({ params }) => ok(shownPolicy(await administration.get(params.policy_id))),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/policies/{policy_id}',
      operationId: 'changePolicy',
      summary: 'Replace a policy of this deployment',
      description: `Policies that ship with the service cannot be changed (409 \`policy_read_only\`). ${failures}`,
      tags,
      auth: 'admin',
      params: idSchema,
      body: { kind: 'json', schema: inputSchema },
      errors: [policyInvalidError, policyLocksOutError, policyReadOnlyError, policiesBusyError],
      answers: { 200: answer('The policy.') },
      async handle(request) {
        return ok(shownPolicy(await administration.change(request.params.policy_id, inputOf(request.body), actorOf(request))))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/policies/{policy_id}',
      operationId: 'deletePolicy',
      summary: 'Delete a policy of this deployment',
      tags,
      auth: 'admin',
      params: idSchema,
      errors: [policyLocksOutError, policyReadOnlyError, policiesBusyError],
      answers: { 204: { description: 'The policy was deleted.' } },
      async handle(request) {
        await administration.delete(request.params.policy_id, actorOf(request))
        return noContent()
      },
    }),
  ]
}
