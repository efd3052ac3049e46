import { namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * A summary that replaces the older messages of a chat in the prompt. The messages stay, and the
 * summary can be undone.
 */
export type Summary = {
  readonly id: string
  readonly chat_id: string
  readonly user_id: string
  /**
   * The branch in which the last message that it covers was written; it applies to every branch
   * that shares that message.
   */
  readonly branch_id: string
  /** It covers the messages before this sequence. */
  readonly until: number
  readonly text: string
  /**
   * The person's request, verbatim, if the summary ends in the middle of the agent's work on it.
   */
  readonly task: string | null
  /**
   * The tokens of the covered messages and of the summary. Estimates if the model's tokenizer is
   * unknown.
   */
  readonly tokens_before: number
  readonly tokens: number
  /** The model that wrote it. */
  readonly model: string
  /** The run in which it was written; null: a person requested it between two runs. */
  readonly run_id: string | null
  readonly created_at: string
  /** When a person undid it; it no longer applies then. */
  readonly undone_at: string | null
}

export const summaryCollection = defineCollection<Summary>()({
  name: 'agents.summaries',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_chat: { fields: ['chat_id', 'until', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
  },
})

const nullableText = Type.Union([Type.String(), Type.Null()], { examples: [null] })

/** A summary in responses and events. */
export const summarySchema = namedObject('Summary', {
  id: Type.String(),
  chat_id: Type.String(),
  branch_id: Type.String(),
  until: Type.Integer({ description: 'It replaces the messages before this `sequence`.' }),
  text: Type.String({ examples: ['They compared three kitchens and chose the second.'] }),
  task: Type.Union([Type.String(), Type.Null()], {
    description: 'The person’s request, if the summary ends in the middle of the agent’s work on it.',
  }),
  tokens_before: Type.Integer({ description: 'The tokens of the messages that it replaces.' }),
  tokens: Type.Integer(),
  model: Type.String(),
  run_id: nullableText,
  created_at: Type.String(),
  undone_at: nullableText,
})

/** A summary as a client sees it. */
export function presentSummary(summary: Summary) {
  const { user_id: _, ...rest } = summary
  return rest
}
