import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, pageOfList, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import { toolIcons } from '@agent-service/sdk/contracts/tool'
import type { Database } from '@agent-service/sdk/services/database'
import type { SharedAgents } from '../agents/shared-agents.js'
import type { ToolViews } from '../agents/tool-views.js'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { absentAgent } from '../store/agents/new-agent.js'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const phraseSchema = (description: string) => Type.Union([Type.String(), Type.Array(Type.String())], { description })

const toolWordsSchema = namedObject('ToolWords', {
  title: Type.String({ description: 'What the tool does, of no call in particular.' }),
  ask: phraseSchema('What a call would do, for the question whether it may.'),
  running: phraseSchema('While it runs.'),
  done: phraseSchema('Once it is done.'),
  failed: phraseSchema('Where it failed.'),
})

const displaySchema = namedObject(
  'ToolDisplay',
  {
    icon: Type.Optional(Type.Union(toolIcons.map((icon) => Type.Literal(icon)))),
    words: Type.Record(Type.String(), toolWordsSchema, {
      description:
        'By language tag, “en” among them. A name in braces stands for that argument of a call; of a list, the first text counts whose arguments the call has. Show values as plain text.',
    }),
  },
  { description: 'What people read of the calls of a tool.' },
)

const toolSchema = namedObject('Tool', {
  name: Type.String({ description: 'What an agent’s `tools` and models call it.' }),
  title: nullableText('For people. Null if there is no such tool at present.'),
  display: Type.Union([displaySchema, Type.Null()], {
    description: 'What people read of its calls, by language. Null: the title, and the argument that says most.',
  }),
  description: nullableText('What the model reads.'),
  plugin_id: nullableText('The plugin that provides it.'),
  source: nullableText('The tool source that it comes from; null: it is the plugin’s own.'),
  effect: Type.Union([Type.Literal('read'), Type.Literal('idempotent'), Type.Literal('checkable'), Type.Literal('unsafe'), Type.Null()], {
    description: 'The effect of repeating a call after a crash.',
  }),
  approval: Type.Union([Type.Literal('never'), Type.Literal('first_time'), Type.Literal('always'), Type.Null()], {
    description: 'When a person is asked before it runs, as the agent is set up.',
  }),
  parameters: Type.Union([namedObject('ToolParameters', {}, { additionalProperties: true }), Type.Null()], {
    description: 'The JSON Schema of its arguments.',
  }),
  available: Type.Boolean({ description: 'Whether models are offered it at present.' }),
  reason: Type.Union([Type.Literal('policy'), Type.Literal('withheld'), Type.Literal('not_found'), Type.Null()], {
    description:
      '`policy`: policies forbid it; `withheld`: its plugin does not offer it to this agent; `not_found`: no plugin provides it.',
  }),
  message: nullableText('The reason for people.'),
})

/** The route that lists tools. */
export function createToolRoutes(dependencies: {
  readonly database: Database
  readonly sharedAgents: Pick<SharedAgents, 'ensure'>
  readonly views: ToolViews
}): readonly HttpRoute[] {
  const { database, sharedAgents, views } = dependencies
  const agents = database.collection(agentCollection)

  /** Stands for an agent that the person could make. Tool sources know it by their first agent. */
  const possibleAgent = async (userId: string): Promise<Agent> => {
    await sharedAgents.ensure(userId)
    const { items } = await agents.query({ index: 'by_user', equals: [userId], limit: 1 })
    const absent = { ...absentAgent({ id: '', user_id: userId, model_group: 'primary', created_at: '' }), memory: { enabled: true } }
    const [first] = items
    return first ? { ...absent, id: first.id, handle: first.handle } : absent
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/tools',
      operationId: 'listTools',
      summary: 'List the tools that an agent can have',
      description:
        'By name: all tools that the caller could give an agent, with those of tool sources as the caller’s oldest agent sees them. With `agent`, the tools that this agent names. `available` tells whether models are offered it, and `reason` and `message` why not.',
      tags: ['agents'],
      auth: 'user',
      actors: actorKinds,
      query: Type.Object({ ...pageQuerySchema.properties, agent: Type.Optional(idSchema) }),
      answers: { 200: { description: 'One page.', schema: pageSchema(toolSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        const { agent: id } = request.query
        const tools =
          id === undefined
            ? await views.possible(await possibleAgent(userId))
            : await views.given(ownDocument('agent', await agents.get(id), userId))
        const { items, next_cursor } = pageOfList(tools, ({ name }) => name, request.query)
        // Tools and their schemas are no secrets, and a page of them is long.
        return { status: 200, kind: 'json', json: { items: [...items], next_cursor }, compress: true }
      },
    }),
  ]
}
