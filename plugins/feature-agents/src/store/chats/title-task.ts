import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * A title that a model has still to make. It is stored with the end of the chat's first answer, and
 * removed with the title, with the last failure, or when a person sets a title.
 */
export type TitleTask = {
  /** The id of the chat. */
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  /** The run that gave the first answer. */
  readonly run_id: string
  /** Not before this time. */
  readonly due_at: string
  /** Calls that were begun. */
  readonly attempts: number
  /** When the call in progress began; null: there is none. */
  readonly asked_at: string | null
  /** The process that makes the call in progress; null: there is none. */
  readonly driver: string | null
}

export const titleTaskCollection = defineCollection<TitleTask>()({
  name: 'agents.title_tasks',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_due: { fields: ['due_at', 'id'] },
  },
})

/** The task after a run that has given the first answer of its chat. */
export const newTitleTask = (
  run: { readonly id: string; readonly chat_id: string; readonly user_id: string; readonly agent_id: string },
  now: string,
): TitleTask => ({
  id: run.chat_id,
  user_id: run.user_id,
  agent_id: run.agent_id,
  run_id: run.id,
  due_at: now,
  attempts: 0,
  asked_at: null,
  driver: null,
})
