import { namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** Chats that share a context for their agents. */
export type Space = {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly description: string
  /** The person's context for every chat of the space. It is part of the system message. */
  readonly context: string
  /** A summary of its chats, written by a model; null: there is none. */
  readonly summary: string | null
  readonly summary_updated_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Whether its deletion has begun: no chat is added to it any more. */
  readonly deleting: boolean
}

export const spaceCollection = defineCollection<Space>()({
  name: 'agents.spaces',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'updated_at', 'id'] } },
})

/** The members of a space that a person sets. */
export const spaceMembers = {
  name: Type.String({ minLength: 1, maxLength: 200, examples: ['Kitchen'] }),
  description: Type.String({ maxLength: 2_000 }),
  context: Type.String({ maxLength: 100_000, description: 'Part of the system message of every chat of the space.' }),
}

const nullableText = Type.Union([Type.String(), Type.Null()], { examples: [null] })

/** A space in a response. */
export const spaceSchema = namedObject('Space', {
  id: Type.String(),
  name: Type.String({ examples: ['Kitchen'] }),
  description: Type.String({ examples: ['Everything about the new kitchen.'] }),
  context: Type.String({ examples: ['The kitchen measures 3 by 4 metres.'] }),
  summary: nullableText,
  summary_updated_at: nullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
})

/** A space as a client sees it. */
export function presentSpace(space: Space) {
  const { user_id: _, deleting: __, ...rest } = space
  return rest
}
