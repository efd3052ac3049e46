import type { JsonObject } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** What runs of conversations report to. */
export const conversationKind = 'feature-channels.conversation'

/** Something that a run asks, as it was asked in the channel. */
export interface AskedQuestion {
  readonly token: string
  readonly run_id: string
  readonly call_id: string
  readonly kind: 'approval' | 'question'
  readonly options: readonly string[]
  /** The keys of what the channel offers to be allowed from now on, as it numbers them. */
  readonly scopes: readonly string[]
  /** Whether the owner reads the whole of it in the channel. */
  readonly shown: boolean
}

/** The delivery that ends the question and has its buttons. */
export const questionDeliveryId = ({ token }: Pick<AskedQuestion, 'token'>): string => `q.${token}`

/** One conversation of a vendor with one account: one chat with its agent. */
export interface Conversation {
  /** Of the connection, the vendor's id and the account together. */
  readonly id: string
  readonly connection_id: string
  /** The account whose chat it is. */
  readonly user_id: string
  /** The vendor's. */
  readonly conversation_id: string
  readonly kind: 'direct' | 'group'
  readonly title: string | null
  /** Null: the next message begins a new one. */
  readonly chat_id: string | null
  /** The agent of the chat; null: the account's first one. */
  readonly agent_id: string | null
  /** The tools of the guests of the chat; null: only the account's own person writes and reads there. */
  readonly guest_tools: readonly string[] | null
  /** The newest run. */
  readonly run_id: string | null
  readonly questions: readonly AskedQuestion[]
  /** Whether the account's own person has written here. */
  readonly owner_wrote: boolean
  /** The vendor's id of the newest message that was given to the agent. */
  readonly reply_to: string | null
  /** When the newest messages were given to the agent, in milliseconds; for the loop breaker. */
  readonly recent: readonly number[]
  /** Until then messages are passed over, in milliseconds. */
  readonly paused_until: number
  readonly created_at: string
  readonly changed_at: string
}

/** Whether what the service says there is read by the account's own person alone. */
export const isForOwner = ({ kind, owner_wrote: ownerWrote }: Pick<Conversation, 'kind' | 'owner_wrote'>): boolean =>
  kind === 'direct' && ownerWrote

export const conversationCollection = defineCollection<Conversation>()({
  name: 'channels.conversations',
  version: 3,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_connection: { fields: ['connection_id', 'id'] } },
  migrations: [
    {
      to: 2,
      description: 'Conversations know what guests may use in their chat.',
      migrate: (conversation) => ({ ...conversation, guest_tools: null }),
    },
    {
      to: 3,
      description: 'Questions know what they offer to be allowed from now on. Those asked before offer nothing.',
      migrate: (conversation) => ({
        ...conversation,
        questions: (conversation['questions'] as readonly JsonObject[]).map((question) => ({ ...question, scopes: [] })),
      }),
    },
  ],
})
