import type { JsonObject } from '@agent-service/sdk'
import type { ChannelLimits } from '@agent-service/sdk/contracts/channel'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { RetrySettings } from '../common/retry-settings.js'

/** `off`: switched off by its owner. */
export const connectionStates = ['off', 'connecting', 'connected', 'retrying', 'failed'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** Who may write to the agent. */
export const accessPolicies = ['pairing', 'allow_list', 'open'] as const
export type AccessPolicy = (typeof accessPolicies)[number]

/** Why the last attempt failed, or the connection was lost. */
export interface ConnectionFailure {
  readonly code: string
  /** For people, without secrets. */
  readonly message: string
  readonly at: string
}

/** What a channel takes. */
export interface ConnectionForm {
  readonly title: string
  readonly text: ChannelLimits['text']
  readonly share_link_after: number | null
  /** Whether texts are Markdown; otherwise they are made plain. */
  readonly markdown: boolean
  readonly buttons: boolean
  readonly replies: boolean
  /** Whether a message that was sent can be changed. */
  readonly edits: boolean
  /** The largest file that it takes, in bytes; null: it takes none. */
  readonly max_file_bytes: number | null
}

/** One account at a vendor, through which people reach agents. */
export interface Connection {
  readonly id: string
  /** Null: shared by administrators. Each sender is then paired with an account of their own. */
  readonly user_id: string | null
  /** The id of the channel. */
  readonly channel: string
  readonly title: string
  /** The members that are no secrets. */
  readonly members: JsonObject
  /** Sealed JSON of the secret members. */
  readonly secrets: string
  /** The sealed last part of the address of the webhook, and the hash by which it is found. */
  readonly webhook_key: string
  readonly webhook_hash: string
  /** Increases with each change for which the session has to begin again. */
  readonly generation: number
  readonly enabled: boolean
  /** The agent that answers; null: the first one of the account. */
  readonly agent_id: string | null
  readonly access: AccessPolicy
  /** Whether a message in a group has to mention the account. */
  readonly mention_required: boolean
  /** Whether messages of other bots are answered. */
  readonly answer_bots: boolean
  /** The tools that runs have for anyone but the owner in a direct conversation; they never have memory. */
  readonly guest_tools: readonly string[]
  /** What takes precedence over the section `channel`. */
  readonly retry: Partial<RetrySettings> | null
  readonly state: ConnectionState
  readonly failure: ConnectionFailure | null
  /** Attempts in a row that failed and count. */
  readonly failures: number
  readonly next_attempt_at: string | null
  readonly connected_at: string | null
  /** When a person had it tried again after it had failed for good, in milliseconds; 0: never. */
  readonly revived_at: number
  /** Who the service is at the vendor. */
  readonly account: { readonly id: string; readonly name: string } | null
  /** What answers are made to fit, as the channel said last: it may be away when an answer is there. */
  readonly form: ConnectionForm
  readonly created_at: string
  readonly changed_at: string
}

export const connectionCollection = defineCollection<Connection>()({
  name: 'channels.connections',
  version: 3,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_webhook: { fields: ['webhook_hash'], unique: true },
    by_enabled: { fields: ['enabled', 'id'] },
  },
  sealed: ['secrets', 'webhook_key'],
  migrations: [
    {
      to: 2,
      description: 'Connections know what guests may use, and whether messages can be changed: not before it is connected again.',
      migrate: (connection) => ({ ...connection, guest_tools: [], form: { ...(connection['form'] as JsonObject), edits: false } }),
    },
    {
      to: 3,
      description: 'Connections know how large a file may be: none before it is connected again.',
      migrate: (connection) => ({ ...connection, form: { ...(connection['form'] as JsonObject), max_file_bytes: null } }),
    },
  ],
})

/** What the channel goes on from, beside the connection so that the two change apart. */
export interface ChannelStateRecord {
  /** The connection's. */
  readonly id: string
  readonly user_id: string | null
  readonly state: JsonObject
}

export const stateCollection = defineCollection<ChannelStateRecord>()({
  name: 'channels.states',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** Which process of a deployment has the session of a connection. */
export interface ConnectionLease {
  /** The connection's. */
  readonly id: string
  readonly user_id: string | null
  readonly holder: string
  readonly until: number
}

export const leaseCollection = defineCollection<ConnectionLease>()({
  name: 'channels.leases',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})
