import { namedObject, Type } from '@agent-service/sdk'

const handleOf = (more = '') =>
  Type.String({
    pattern: '^[a-z][a-z0-9_-]{1,31}$',
    description: `2 to 32 characters: a letter, then lower-case letters, digits, _ or -.${more}`,
    examples: ['writer'],
  })
const handle = handleOf()
const name = Type.String({ minLength: 1, maxLength: 100, examples: ['Writer'] })
const description = Type.String({ maxLength: 1_000, examples: ['Writes and corrects texts.'] })
const avatar = Type.String({ maxLength: 16, description: 'An emoji or a few letters to recognise it by; empty for none.' })
const instructions = Type.String({ maxLength: 100_000, examples: ['You write clearly and briefly.'] })
const modelGroup = Type.String({ minLength: 1, maxLength: 100, examples: ['primary'] })
const toolNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 200 })
const skills = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 200 })
const memory = namedObject('AgentMemory', { enabled: Type.Boolean() })
const titles = namedObject(
  'AgentTitles',
  { enabled: Type.Boolean() },
  { description: 'Whether a model makes the titles of its chats, if the group `title` or `small` is configured.' },
)
const sandbox = namedObject('AgentSandbox', { network: Type.Boolean() })
const approval = Type.Record(
  Type.String({ pattern: '^.{1,64}$' }),
  Type.Union([Type.Literal('never'), Type.Literal('first_time'), Type.Literal('always')]),
  {
    additionalProperties: false,
    maxProperties: 201,
    examples: [{ '*': 'first_time' }],
    description: 'By tool name, `*` for all tools not listed: when a person is asked before the tool runs.',
  },
)
const limits = namedObject(
  'AgentLimits',
  {
    max_tool_turns: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description: 'Rounds of tool calls in a run.' })),
    max_run_secs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 604_800, description: 'How long a run may take without a pause, in seconds.' }),
    ),
    max_output_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Tokens of one answer of the model.' })),
  },
  { description: 'The limits of its runs. None may exceed the service’s own, which apply if one is absent.' },
)
const prompts = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  Type.Union([Type.String({ maxLength: 20_000 }), Type.Null()]),
  {
    additionalProperties: false,
    maxProperties: 20,
    examples: [{}],
    description: 'By section of the shared prompt: the text that replaces it; null leaves the section out.',
  },
)

/** The members that have a default, or stay as they are. */
const optionalMembers = {
  description: Type.Optional(description),
  avatar: Type.Optional(avatar),
  instructions: Type.Optional(instructions),
  model_group: Type.Optional(modelGroup),
  tools: Type.Optional(toolNames),
  skills: Type.Optional(skills),
  memory: Type.Optional(memory),
  titles: Type.Optional(titles),
  sandbox: Type.Optional(sandbox),
  approval: Type.Optional(approval),
  limits: Type.Optional(limits),
  prompts: Type.Optional(prompts),
  enabled: Type.Optional(Type.Boolean()),
}

/** The members of an agent that a person sets. */
export const agentInputSchema = Type.Object({ handle, name, ...optionalMembers })

/** A new agent: without a handle, one is made from the name. */
export const newAgentSchema = namedObject('CreateAgent', {
  handle: Type.Optional(handleOf(' Default: made from the name.')),
  name,
  ...optionalMembers,
})

/** A change of an agent: absent members stay as they are. */
export const agentPatchSchema = namedObject('UpdateAgent', { handle: Type.Optional(handle), name: Type.Optional(name), ...optionalMembers })

const definitionMembers = {
  handle: Type.String({ examples: ['writer'] }),
  name: Type.String({ examples: ['Writer'] }),
  description: Type.String({ examples: ['Writes and corrects texts.'] }),
  avatar: Type.String({ examples: ['✍️'] }),
  instructions: Type.String({ examples: ['You write clearly and briefly.'] }),
  model_group: Type.String({ examples: ['primary'] }),
  tools: Type.Array(Type.String(), { examples: [['get_time']] }),
  skills: Type.Array(Type.String(), { examples: [[]] }),
  memory,
  titles,
  sandbox,
  approval,
  limits,
  prompts,
  enabled: Type.Boolean(),
}

/** An agent's definition in a response. */
export const agentDefinitionSchema = namedObject('AgentDefinition', definitionMembers)

/** An agent in a response. */
export const agentSchema = namedObject('Agent', {
  id: Type.String(),
  ...definitionMembers,
  workspace: Type.String({ description: 'The name of the folder of its files. It never changes.' }),
  version: Type.Integer({ description: 'The number of its newest version, for `If-Match` and as `ETag`.' }),
  shared: Type.Union(
    [
      namedObject('SharedAgent', {
        handle: Type.String({ examples: ['writer'] }),
        update_available: Type.Boolean({ description: 'The shared agent has changed since this one was made from it.' }),
      }),
      Type.Null(),
    ],
    { description: 'The shared agent that it was made from, while there is one.' },
  ),
  warnings: Type.Array(namedObject('AgentWarning', { path: Type.String({ examples: ['/tools/0'] }), message: Type.String() }), {
    description: 'What it names but the service lacks at present. The agent works without.',
  }),
  created_at: Type.String(),
  updated_at: Type.String(),
})
