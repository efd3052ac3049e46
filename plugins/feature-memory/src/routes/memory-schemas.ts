import { instant, type JsonObject, namedObject, Type } from '@agent-service/sdk'
import type { MemoryItem, MemoryPass, MemoryRevision, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { limits } from '../common/limits.js'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description, examples: [null] })
const id = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

export const kindSchema = Type.Union([Type.Literal('note'), Type.Literal('statement'), Type.Literal('playbook'), Type.Literal('summary')], {
  description:
    '`note`: a text as it was remembered. `statement`: something about a subject that holds for a time. `playbook`: how to do something. `summary`: a text that was made from others.',
})
export const scopeKindSchema = Type.Union([Type.Literal('user'), Type.Literal('agent'), Type.Literal('space')], {
  description: 'Whose memory it is in: of the person with all their agents, of one agent, of one space.',
})

/** The memory that something is in. */
export const scopeSchema = namedObject('MemoryScope', {
  kind: scopeKindSchema,
  agent_id: Type.Optional(id('Of the scope `agent`: its id.')),
  space_id: Type.Optional(id('Of the scope `space`: its id.')),
})

/** A memory as the API has it. */
export const memorySchema = namedObject('Memory', {
  id: Type.String({ examples: ['0198a3c2-6f1e-7bd4-9c55-3f0f7d0a51c2'] }),
  scope: scopeSchema,
  kind: kindSchema,
  title: nullable('What a page or a playbook is about, one line.'),
  when_to_use: nullable('Of a playbook: when it is of use, one line; null: it does not say.'),
  page_id: nullable('The id of the `summary` that it is a part of: of the page of a statement.'),
  text: Type.String({ examples: ['Prefers the train to the plane.'] }),
  pinned: Type.Boolean({ description: 'Always kept, and the last to leave a prompt.' }),
  created_at: instant(),
  updated_at: instant({ description: 'Of the last change or mention.' }),
  valid_from: nullable('Since when it holds; null: not known.'),
  valid_to: nullable('Until when it held; null: it still holds.'),
  fades_at: nullable('When agents stop seeing it by itself; null: never.'),
  evidence: Type.Array(
    namedObject(
      'MemoryEvidence',
      { chat_id: Type.String(), message_id: nullable('The message that says it.') },
      {
        description: 'Where it came up.',
      },
    ),
    { description: 'Where it comes from; empty if that is not known.', examples: [[]] },
  ),
  origin: Type.Union([Type.Literal('person'), Type.Literal('tool')], {
    description: '`tool`: an agent has stored it by a tool, on its own word. `person`: the person has written or said it.',
    examples: ['person'],
  }),
})

/** One pass of background work. */
export const passSchema = namedObject('MemoryPass', {
  id: Type.String(),
  chat_id: Type.String({ description: 'The chat that it reads.' }),
  state: Type.Union(
    ['running', 'waiting', 'done', 'abandoned', 'failed'].map((state) => Type.Literal(state)),
    { description: '`waiting`: for its next attempt. The last three never change by themselves.' },
  ),
  stage: Type.String({ description: 'In which it is, or at which it ended.', examples: ['extract'] }),
  attempt: Type.Integer({ minimum: 1, description: 'How often this stage was tried.' }),
  error: nullable('Why the last attempt failed.'),
  next_attempt_at: nullable('When it is tried again.'),
  started_at: instant(),
  finished_at: nullable('Null: it goes on.'),
})

/** An earlier text. */
export const revisionSchema = namedObject('MemoryRevision', {
  id: Type.String(),
  scope: scopeSchema,
  text: Type.String({ description: 'What was replaced.' }),
  replaced_at: instant(),
  expires_at: instant({ description: 'Until when it can be brought back.' }),
})

const allowSecret = Type.Optional(
  Type.Boolean({ description: 'Stores the text also if it looks as if it had a password, a key or the number of a card. Default false.' }),
)

/** A new memory of a person. */
export const newMemorySchema = Type.Object({
  text: Type.String({
    ...{ minLength: 1, maxLength: limits.maxTextLength, pattern: '\\S' },
    description: 'What to remember.',
    examples: ['I prefer the train to the plane.'],
  }),
  scope: Type.Optional(scopeSchema),
  pinned: Type.Optional(Type.Boolean({ description: 'Default false.' })),
  allow_secret: allowSecret,
})

/** A person's changes of a memory. */
export const memoryChangeSchema = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: limits.maxTextLength, pattern: '\\S' },
        description: 'A correction. What agents learn later does not overwrite it.',
      }),
    ),
    pinned: Type.Optional(Type.Boolean()),
    allow_secret: allowSecret,
  },
  { minProperties: 1 },
)

export const viewOfScope = (scope: MemoryScope): JsonObject => ({
  kind: scope.kind,
  ...(scope.kind === 'agent' && { agent_id: scope.agentId }),
  ...(scope.kind === 'space' && { space_id: scope.spaceId }),
})

/** A memory for clients. What a back end has put beside the contract's members is left out. */
export const viewOfMemory = (item: MemoryItem): JsonObject => ({
  ...{
    id: item.id,
    scope: viewOfScope(item.scope),
    kind: item.kind,
    title: item.title ?? null,
    when_to_use: item.whenToUse ?? null,
    page_id: item.pageId ?? null,
  },
  ...{ text: item.text, pinned: item.pinned, created_at: item.createdAt, updated_at: item.updatedAt },
  ...{ valid_from: item.validFrom ?? null, valid_to: item.validTo ?? null, fades_at: item.fadesAt },
  evidence: item.evidence.map(({ chatId, messageId }) => ({ chat_id: chatId, message_id: messageId ?? null })),
  origin: item.origin ?? 'person',
})

export const viewOfPass = (pass: MemoryPass): JsonObject => ({
  ...{ id: pass.id, chat_id: pass.chatId, state: pass.state, stage: pass.stage, attempt: pass.attempt, error: pass.error },
  ...{ next_attempt_at: pass.nextAttemptAt, started_at: pass.startedAt, finished_at: pass.finishedAt },
})

export const viewOfRevision = (revision: MemoryRevision): JsonObject => ({
  ...{ id: revision.id, scope: viewOfScope(revision.scope), text: revision.text },
  ...{ replaced_at: revision.replacedAt, expires_at: revision.expiresAt },
})
