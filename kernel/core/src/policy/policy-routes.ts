import { Type } from '@agent-service/sdk'
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
import type { AuditActor } from '../audit/audit-records.js'
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
  description: Type.Optional(Type.String({ maxLength: 500, default: '', description: 'What it is for.' })),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'With false it is kept and has no effect.' })),
})
const idSchema = Type.Object({ policy_id: Type.String({ maxLength: 100 }) })
const answer = (description: string) => ({ description, schema: policySchema })
const whatMayFail =
  'Nothing changes where the text is no policy (422 `policy_invalid`, with line and column), or where you could no longer take the change back (409 `policy_locks_out`).'

const inputOf = ({ text, description = '', enabled = true }: { text: string; description?: string; enabled?: boolean }): PolicyInput => ({
  text,
  description,
  enabled,
})
const actorOf = ({ principal, address }: RouteRequest<unknown, unknown, unknown>): AuditActor => ({
  userId: principal?.userId ?? null,
  address,
})

/** The operations without which nobody could take a change of policies back. */
export const undoOperations = ['listPolicies', 'getPolicy', 'changePolicy', 'deletePolicy'] as const

/** Policies for admins. */
export function createPolicyRoutes({ administration }: { readonly administration: PolicyAdministration }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/policies',
      operationId: 'listPolicies',
      summary: 'All policies: first those that ship with the service, then those of this deployment',
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
      description: `It counts from the answer on. ${whatMayFail}`,
      tags,
      auth: 'admin',
      body: { kind: 'json', schema: inputSchema },
      answers: { 201: answer('The policy.') },
      handle: async (request) => created(shownPolicy(await administration.create(inputOf(request.body), actorOf(request)))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/policies/check',
      operationId: 'checkPolicy',
      changes: false,
      summary: 'What is wrong with a policy; stores nothing',
      tags,
      auth: 'admin',
      scope: 'admin',
      body: { kind: 'json', schema: Type.Object({ text: textSchema }) },
      answers: {
        200: {
          description: 'The problems, for which it would be refused, and the warnings.',
          schema: Type.Object({ problems: Type.Array(policyProblemSchema), warnings: Type.Array(policyProblemSchema) }),
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
      summary: 'How a question is decided now, and by which policies',
      description:
        'What the service itself knows of a user (by account id) and a route (by operation id) is filled in. No policy in the answer of a denial means that none permits it.',
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
      summary: 'One policy',
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
      description: `Those that ship with the service cannot be changed (409 \`policy_read_only\`). ${whatMayFail}`,
      tags,
      auth: 'admin',
      params: idSchema,
      body: { kind: 'json', schema: inputSchema },
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
      answers: { 204: { description: 'The policy is gone.' } },
      async handle(request) {
        await administration.delete(request.params.policy_id, actorOf(request))
        return noContent()
      },
    }),
  ]
}
