import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** A saved prompt without its text, so that lists stay small. */
export interface Prompt {
  /** A UUIDv7. */
  readonly id: string
  readonly user_id: string
  readonly command: string
  readonly title: string
  /** The beginning of the text, in one line. */
  readonly excerpt: string
  /** Of the text, in UTF-8. */
  readonly bytes: number
  readonly shared: 'me' | 'everyone'
  /** Owner and command, so that no two have the same; null once it is deleted. */
  readonly own_key: string | null
  /** The command while everyone has it, else null. */
  readonly shared_key: string | null
  /** From 1; grows with each change. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /** Null, or since when it only waits to be restored. */
  readonly deleted_at: string | null
}

export const promptCollection = defineCollection<Prompt>()({
  name: 'prompts.prompts',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_own_key: { fields: ['own_key'], unique: true },
    by_shared_key: { fields: ['shared_key'], unique: true },
    by_deleted: { fields: ['deleted_at'] },
  },
})

/** The text of the prompt with the same id. */
export interface PromptText {
  readonly id: string
  readonly user_id: string
  readonly text: string
}

export const textCollection = defineCollection<PromptText>()({
  name: 'prompts.texts',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** How much a person keeps, and when they used what. */
export interface PromptUses {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  readonly prompts: number
  readonly bytes: number
  /** By the id of the prompt, also of shared ones: when it was last used. */
  readonly used: Readonly<Record<string, string>>
}

export const usesCollection = defineCollection<PromptUses>()({
  name: 'prompts.uses',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** In the order in which they are erased. */
export const collections: readonly CollectionDefinition[] = [promptCollection, textCollection, usesCollection]

export const ownKey = (userId: string, command: string): string => `${userId} ${command}`

/** The keys of a prompt that is in lists. */
export const listedKeys = ({ user_id, command, shared }: Pick<Prompt, 'user_id' | 'command' | 'shared'>) => ({
  own_key: ownKey(user_id, command),
  shared_key: shared === 'everyone' ? command : null,
})

export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString()
