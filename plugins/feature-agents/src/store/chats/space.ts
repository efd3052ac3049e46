import { Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** Chats that share what their agents are told. */
export type Space = {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly description: string
  /** What the person wants to be known in every chat of it. Goes into the system message. */
  readonly context: string
  /** What its chats were about, written by a model; null: none was made. */
  readonly summary: string | null
  readonly summary_updated_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Its deletion has begun: no chat gets into it any more. */
  readonly deleting: boolean
}

export const spaceCollection = defineCollection<Space>()({
  name: 'agents.spaces',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'updated_at', 'id'] } },
})

/** What a person writes about a space. */
export const spaceMembers = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 2_000 }),
  context: Type.String({ maxLength: 100_000, description: 'Goes into the system message of every chat of the space.' }),
}

const nullableText = Type.Union([Type.String(), Type.Null()])

/** A space in an answer. */
export const spaceSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  context: Type.String(),
  summary: nullableText,
  summary_updated_at: nullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
})

/** What a client sees of a space. */
export function presentSpace(space: Space) {
  const { user_id: _, deleting: __, ...rest } = space
  return rest
}
