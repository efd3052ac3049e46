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
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { idSchema } from '../common/id-schema.js'
import { ownDocument, ownUndeleted } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import type { AgentTools } from '../points/sources/agent-tools.js'
import type { RunsWithin } from '../run-service/create-runs.js'
import { approvalExpiredError, approvalResolvedError, approvalWithdrawnError } from '../runs/approvals/errors.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { chatCollection } from '../store/chats/chat.js'
import { type Approval, approvalCollection, approvalSchema, maxNoteLength, presentApproval } from '../store/runs/approval.js'
import { type ApprovalGrant, approvalGrantCollection, everyCallScope, grantId } from '../store/runs/approval-grant.js'

const toolName = Type.String({ minLength: 1, maxLength: 64 })
const tags = ['approvals']

const answerSchema = namedObject('AnswerApproval', {
  decision: Type.Union([Type.Literal('approve'), Type.Literal('approve_once'), Type.Literal('deny'), Type.Literal('answer')], {
    description:
      '`approve` for a call that waits for an approval, `answer` for a question, `deny` for both. `approve_once` approves this call alone; `approve` also allows later calls, see `scope`.',
  }),
  scope: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 600,
      description:
        'With `approve`: what is allowed from now on, the key of one of the `scopes` of the approval. Default: exactly this call, if it is among them; else nothing.',
    }),
  ),
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

const grantSchema = namedObject('Grant', {
  agent_id: Type.String(),
  tool: Type.String(),
  scope: Type.String({ examples: ['of:host example.org'] }),
  label: Type.String({ examples: ['Read pages of example.org'], description: 'What is allowed, in words.' }),
  applies: Type.Boolean({
    description:
      'False: the grant is for every call of a tool that has since learnt to name kinds of calls, and allows nothing any more. The person is asked again, and can allow a kind.',
  }),
  granted_at: Type.String(),
})

/** The routes by which people list and answer approvals and questions, and revoke grants. */
export function createApprovalRoutes(dependencies: {
  readonly database: Database
  readonly runs: Pick<RunsWithin, 'decide'>
  readonly agentTools: Pick<AgentTools, 'find'>
}): readonly HttpRoute[] {
  const { database, runs, agentTools } = dependencies
  const approvals = database.collection(approvalCollection)
  const grants = database.collection(approvalGrantCollection)
  const agents = database.collection(agentCollection)
  const chats = database.collection(chatCollection)

  const presentGrant = (agent: Agent, { agent_id, tool, scope, label, granted_at }: ApprovalGrant) => {
    const namesKinds = agentTools.find(agent, tool)?.value.scopes !== undefined
    return { agent_id, tool, scope, label, applies: scope !== everyCallScope || !namesKinds, granted_at }
  }

  const grantsOf = async ({ id }: Agent, tool: string, signal: AbortSignal): Promise<readonly string[]> => {
    const ids: string[] = []
    for await (const grant of documentsOf(database, approvalGrantCollection, { index: 'by_tool', equals: [id, tool], signal }))
      ids.push(grant.id)
    return ids
  }

  /** Those of chats that were not deleted. */
  const withoutDeleted = async (items: readonly Approval[]): Promise<readonly Approval[]> => {
    const ids = [...new Set(items.map(({ chat_id }) => chat_id))]
    const deleted = new Set((await Promise.all(ids.map((id) => chats.get(id)))).flatMap((chat) => (chat?.deleting ? [chat.id] : [])))
    return items.filter(({ chat_id }) => !deleted.has(chat_id))
  }

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
        const { decision, note, scope } = request.body
        return ok(presentApproval(await runs.decide({ by: { userId, username }, runId: run_id, callId: call_id, decision, note, scope })))
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
        if (chat_id !== undefined) ownUndeleted('chat', await chats.get(chat_id), userId)
        const { items, next_cursor } = await pageOfIndex(approvals, placeOf(userId, chat_id, status), request.query)
        return ok({ items: (await withoutDeleted(items)).map(presentApproval), next_cursor })
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
        if ((await withoutDeleted([approval])).length === 0) throw notFoundError.create({ what: 'approval' })
        return ok(presentApproval(approval))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}/grants',
      operationId: 'listGrants',
      summary: 'List the calls that an agent may make without asking',
      description: 'A grant applies while the approval mode of the tool is `first_time`.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params: Type.Object({ agent_id: idSchema }),
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, ordered by tool name.', schema: pageSchema(grantSchema) } },
      async handle(request) {
        const agent = ownDocument('agent', await agents.get(request.params.agent_id), ownerOf(request))
        const { items, next_cursor } = await pageOfIndex(grants, { index: 'by_tool', equals: [agent.id] }, request.query)
        return ok({ items: items.map((grant) => presentGrant(agent, grant)), next_cursor })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/agents/{agent_id}/grants/{tool}',
      operationId: 'deleteGrant',
      summary: 'Revoke the grants of a tool to an agent',
      description: 'Revokes one grant, or all of the tool. The person is asked again, from the next undecided call on.',
      tags,
      auth: 'user',
      params: Type.Object({ agent_id: idSchema, tool: toolName }),
      query: Type.Object({
        scope: Type.Optional(
          Type.String({ minLength: 1, maxLength: 600, description: 'The `scope` of one grant. Default: all of the tool.' }),
        ),
      }),
      answers: { 204: { description: 'Revoked.' } },
      async handle(request) {
        const userId = ownerOf(request)
        const { agent_id, tool } = request.params
        const agent = ownDocument('agent', await agents.get(agent_id), userId)
        const { scope } = request.query
        const ids = scope === undefined ? await grantsOf(agent, tool, request.signal) : [grantId(agent.id, tool, scope)]
        const revoked = await Promise.all(ids.map((id) => grants.delete(id)))
        if (!revoked.includes(true)) throw notFoundError.create({ what: 'grant' })
        return noContent()
      },
    }),
  ]
}
