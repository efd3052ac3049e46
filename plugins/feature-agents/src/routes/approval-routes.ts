import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import type { RunsWithin } from '../run-service/create-runs.js'
import { approvalExpiredError, approvalResolvedError, approvalWithdrawnError } from '../runs/approvals/errors.js'
import { agentCollection } from '../store/agents/agent.js'
import { chatCollection } from '../store/chats/chat.js'
import {
  type ApprovalGrant,
  approvalCollection,
  approvalGrantCollection,
  approvalSchema,
  grantId,
  maxNoteLength,
  presentApproval,
} from '../store/runs/approval.js'

const toolName = Type.String({ minLength: 1, maxLength: 64 })
const tags = ['approvals']

const answerSchema = namedObject('AnswerApproval', {
  decision: Type.Union([Type.Literal('approve'), Type.Literal('approve_once'), Type.Literal('deny'), Type.Literal('answer')], {
    description:
      '`approve` for a call that waits for an approval, `answer` for a question, `deny` for both. `approve_once` approves this call alone: where `remembers` says that an approval applies to later calls, the next call asks again.',
  }),
  note: Type.Optional(Type.String({ maxLength: maxNoteLength, description: 'The answer, or a note to the agent about the decision.' })),
})

const listQuerySchema = Type.Object({
  ...pageQuerySchema.properties,
  status: Type.Optional(
    Type.Union([
      Type.Literal('pending'),
      Type.Literal('approved'),
      Type.Literal('denied'),
      Type.Literal('answered'),
      Type.Literal('expired'),
      Type.Literal('withdrawn'),
    ]),
  ),
  chat_id: Type.Optional(idSchema),
})

const grantSchema = namedObject('Grant', { agent_id: Type.String(), tool: Type.String(), granted_at: Type.String() })

const presentGrant = ({ agent_id, tool, granted_at }: ApprovalGrant) => ({ agent_id, tool, granted_at })

/** The routes by which people list and answer approvals and questions, and revoke grants. */
export function createApprovalRoutes(dependencies: {
  readonly database: Database
  readonly runs: Pick<RunsWithin, 'decide'>
}): readonly HttpRoute[] {
  const { database, runs } = dependencies
  const approvals = database.collection(approvalCollection)
  const grants = database.collection(approvalGrantCollection)
  const agents = database.collection(agentCollection)
  const chats = database.collection(chatCollection)

  /** The index for a request, and the values that it begins with. */
  const placeOf = (userId: string, chatId: string | undefined, status: string | undefined) => {
    if (chatId !== undefined)
      return status === undefined
        ? ({ index: 'by_chat', equals: [chatId] } as const)
        : ({ index: 'by_chat_status', equals: [chatId, status] } as const)
    return status === undefined
      ? ({ index: 'by_user', equals: [userId] } as const)
      : ({ index: 'by_status', equals: [userId, status] } as const)
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/approvals/{call_id}',
      operationId: 'answerApproval',
      summary: 'Answer an approval or a question of a run',
      description:
        'Approves a call, denies it, or answers its question; the run continues. The first decision counts: repeating it returns 200 with the recorded approval, another decision returns 409 `approval_resolved`. Returns 409 `approval_expired` after the time for an answer, and `approval_withdrawn` if the call will not be made any more. Only the owner of the run can answer.',
      tags,
      auth: 'user',
      idempotent: true,
      params: Type.Object({ run_id: idSchema, call_id: idSchema }),
      body: { kind: 'json', schema: answerSchema },
      errors: [approvalResolvedError, approvalExpiredError, approvalWithdrawnError],
      answers: { 200: { description: 'The recorded approval.', schema: approvalSchema } },
      async handle(request) {
        const { userId, username } = principalOf(request)
        const { run_id, call_id } = request.params
        const { decision, note } = request.body
        return ok(presentApproval(await runs.decide({ by: { userId, username }, runId: run_id, callId: call_id, decision, note })))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/approvals',
      operationId: 'listApprovals',
      summary: 'List approvals and questions of runs, oldest first',
      description: '`status=pending` lists those that wait for an answer, `chat_id` those of one chat.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: listQuerySchema,
      errors: [notFoundError],
      answers: { 200: { description: 'One page.', schema: pageSchema(approvalSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        const { chat_id, status } = request.query
        if (chat_id !== undefined) ownDocument('chat', await chats.get(chat_id), userId)
        const { items, next_cursor } = await pageOfIndex(approvals, placeOf(userId, chat_id, status), request.query)
        return ok({ items: items.map(presentApproval), next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/approvals/{call_id}',
      operationId: 'getApproval',
      summary: 'Get an approval or a question of a run',
      tags,
      auth: 'user',
      actors: actorKinds,
      params: Type.Object({ call_id: idSchema }),
      answers: { 200: { description: 'The approval.', schema: approvalSchema } },
      async handle(request) {
        const approval = ownDocument('approval', await approvals.get(request.params.call_id), ownerOf(request))
        return ok(presentApproval(approval))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}/grants',
      operationId: 'listGrants',
      summary: 'List the tools that an agent may use without asking',
      description: 'A grant applies while the approval mode of the tool is `first_time`.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params: Type.Object({ agent_id: idSchema }),
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, ordered by tool name.', schema: pageSchema(grantSchema) } },
      async handle(request) {
        const agent = ownDocument('agent', await agents.get(request.params.agent_id), ownerOf(request))
        const { items, next_cursor } = await pageOfIndex(grants, { index: 'by_agent', equals: [agent.id] }, request.query)
        return ok({ items: items.map(presentGrant), next_cursor })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/agents/{agent_id}/grants/{tool}',
      operationId: 'deleteGrant',
      summary: 'Revoke the grant of a tool to an agent',
      description: 'The person is asked again, from the next undecided call on.',
      tags,
      auth: 'user',
      params: Type.Object({ agent_id: idSchema, tool: toolName }),
      answers: { 204: { description: 'Revoked.' } },
      async handle(request) {
        const userId = ownerOf(request)
        const { agent_id, tool } = request.params
        await database.transaction(async (transaction) => {
          ownDocument('agent', await transaction.get(agentCollection, agent_id), userId)
          const grant = await transaction.get(approvalGrantCollection, grantId(agent_id, tool))
          if (!grant) throw notFoundError.create({ what: 'grant' })
          transaction.delete(approvalGrantCollection, grant.id)
        })
        return noContent()
      },
    }),
  ]
}
