import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  notFoundError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { AgentChoice } from '../agents/agent-choice.js'
import { noAgentError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { contextUse } from '../context/context-use.js'
import { createSummaries } from '../context/summaries.js'
import { attachmentLimits } from '../posting/attachments.js'
import type { GivenFiles } from '../posting/given-files.js'
import { agentCollection } from '../store/agents/agent.js'
import { chatCollection } from '../store/chats/chat.js'
import { presentRun, runCollection, runSchema } from '../store/runs/run.js'

const params = Type.Object({ chat_id: idSchema })
const tags = ['chats']

const contextSchema = namedObject('ChatContext', {
  window: Type.Integer({ description: 'The window of the model, in tokens.' }),
  reserve: Type.Integer({ description: 'What of it is kept for the answer.' }),
  compact_above: Type.Integer({ description: 'Above this size of the prompt, older messages are summarised first.' }),
  tokens: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'What the newest model call of the branch that is shown took, with its answer; less what a later summary replaces. Null before the first call.',
  }),
})

const limitsSchema = namedObject('AttachmentLimits', {
  max_files: Type.Integer({ description: 'Files of one message.' }),
  max_image_bytes: Type.Integer(),
  max_text_bytes: Type.Integer(),
  max_message_bytes: Type.Integer({ description: 'The whole message as JSON: a file takes four thirds of its size.' }),
  image_types: Type.Array(Type.String(), { examples: [['image/png']] }),
  in_workspace: Type.Boolean({
    description: 'Any file can be given to the agent, in its workspace: the limits of one file are then of what its model is shown.',
  }),
})

/** What a client shows beside the messages of a chat: its runs, and how full the context is. */
export function createChatRunRoutes(dependencies: {
  readonly database: Database
  readonly inference: Pick<Inference, 'groups' | 'limits'>
  readonly agentChoice: Pick<AgentChoice, 'byId'>
  readonly files: Pick<GivenFiles, 'hasWorkspace'>
}): readonly HttpRoute[] {
  const { database, inference, agentChoice, files } = dependencies
  const chats = database.collection(chatCollection)
  const agents = database.collection(agentCollection)
  const runs = database.collection(runCollection)
  const summaries = createSummaries({ database })

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/attachments',
      operationId: 'getAttachmentLimits',
      summary: 'Get what can be attached to a message',
      description:
        'Pictures of the listed types, PDFs and UTF-8 texts, recognised by their content, can be shown to a model; to an agent with tools for files any file can be given, as far as the person has room.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: Type.Object({
        agent_id: Type.Optional({
          ...idSchema,
          description: 'The agent that is to answer. Default: your first enabled one, as of a new chat.',
        }),
      }),
      errors: [noAgentError],
      answers: { 200: { description: 'The limits.', schema: limitsSchema } },
      async handle(request) {
        const agent = await agentChoice.byId(ownerOf(request), request.query.agent_id)
        const inWorkspace = await files.hasWorkspace(agent, request.signal)
        return ok({ ...attachmentLimits, image_types: [...attachmentLimits.image_types], in_workspace: inWorkspace })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/context',
      operationId: 'getChatContext',
      summary: 'Get how full the window of a chat’s model is',
      description: 'For the model group that answers next. The size is what the vendor reported for the newest call.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The sizes, in tokens.', schema: contextSchema } },
      async handle(request) {
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), ownerOf(request))
        const group = chat.model ?? (await agents.get(chat.agent_id))?.model_group ?? 'primary'
        const { window, reserve, compactAbove, tokens } = await contextUse({ database, inference, summaries }, chat, group)
        return ok({ window, reserve, compact_above: compactAbove, tokens })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/runs',
      operationId: 'listChatRuns',
      summary: 'List the runs of a chat, newest first',
      description: 'The runs of all branches, with their usage, times and failures.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: pageQuerySchema,
      errors: [notFoundError],
      answers: { 200: { description: 'One page.', schema: pageSchema(runSchema) } },
      async handle(request) {
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), ownerOf(request))
        const place = { index: 'by_chat', equals: [chat.id], order: 'descending' } as const
        const { items, next_cursor } = await pageOfIndex(runs, place, request.query)
        return ok({ items: items.map(presentRun), next_cursor })
      },
    }),
  ]
}
