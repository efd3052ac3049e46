import { Type } from '@agent-service/sdk'
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

const answerSchema = Type.Object({
  decision: Type.Union([Type.Literal('approve'), Type.Literal('deny'), Type.Literal('answer')], {
    description: '`approve` for a call that waits for a permission, `answer` for a question, `deny` for both.',
  }),
  note: Type.Optional(
    Type.String({ maxLength: maxNoteLength, description: 'The answer, or what the agent is told beside the decision.' }),
  ),
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

const grantSchema = Type.Object({ agent_id: Type.String(), tool: Type.String(), granted_at: Type.String() })

const presentGrant = ({ agent_id, tool, granted_at }: ApprovalGrant) => ({ agent_id, tool, granted_at })

/** The routes by which people answer, see what is asked, and take back what they have allowed for good. */
export function createApprovalRoutes(dependencies: {
  readonly database: Database
  readonly runs: Pick<RunsWithin, 'decide'>
}): readonly HttpRoute[] {
  const { database, runs } = dependencies
  const approvals = database.collection(approvalCollection)
  const grants = database.collection(approvalGrantCollection)
  const agents = database.collection(agentCollection)
  const chats = database.collection(chatCollection)

  /** The index for what a request asks for, and the values that it begins with. */
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
      summary: 'Answer what a run asks',
      description:
        'Lets a call run, refuses it, or answers its question; the run goes on. Whoever is first decides: the same decision again answers 200 with what was recorded, another one 409 `approval_resolved`. 409 `approval_expired` when the time for an answer is over, `approval_withdrawn` when the call is not made any more. Only the person whose run it is can answer.',
      tags,
      auth: 'user',
      idempotent: true,
      params: Type.Object({ run_id: idSchema, call_id: idSchema }),
      body: { kind: 'json', schema: answerSchema },
      answers: { 200: { description: 'The approval as it is recorded.', schema: approvalSchema } },
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
      summary: 'What runs ask and have asked, from old to new',
      description: 'With `status=pending` what waits for an answer. With `chat_id` those of one chat.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: listQuerySchema,
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
      summary: 'One question of a run',
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
      summary: 'The tools that an agent was allowed for good',
      description: 'A grant counts where the approval mode of the tool is `first_time`.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params: Type.Object({ agent_id: idSchema }),
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, by name of the tool.', schema: pageSchema(grantSchema) } },
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
      summary: 'Be asked again before an agent uses a tool',
      description: 'Counts from the next call that has not been decided about.',
      tags,
      auth: 'user',
      params: Type.Object({ agent_id: idSchema, tool: toolName }),
      answers: { 204: { description: 'Taken back.' } },
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
