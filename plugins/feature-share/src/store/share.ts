import { defineCollection } from '@agent-service/sdk/services/database'

export const shareKinds = ['file', 'chat'] as const
export type ShareKind = (typeof shareKinds)[number]

/** One link: what it leads to, and until when. It has no part of the link itself. */
export interface Share {
  /** For lists and for revoking; gives no access. */
  readonly id: string
  readonly user_id: string
  /** SHA-256 of the secret part of the link, in hexadecimal. */
  readonly secret_hash: string
  readonly kind: ShareKind
  /** Of a file: the folder of the user that it is in, and its real path there, without links. */
  readonly subsystem: 'files' | 'workspaces' | null
  readonly path: string | null
  /** Of a snapshot of a chat. Null: of given texts. */
  readonly chat_id: string | null
  /** The name of the file, or the title of the chat. */
  readonly title: string
  /** What the snapshot takes; 0 for a file. */
  readonly bytes: number
  readonly created_by: 'person' | 'agent' | 'service'
  /** The agent that made it. */
  readonly agent_id: string | null
  readonly created_at: string
  /** Never changes. */
  readonly expires_at: string
  /** How often the content or the page was opened. */
  readonly uses: number
  readonly last_used_at: string | null
}

export const shareCollection = defineCollection<Share>()({
  name: 'share.links',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_secret: { fields: ['secret_hash'], unique: true },
    by_user: { fields: ['user_id', 'id'] },
    by_user_expiry: { fields: ['user_id', 'expires_at'] },
    by_expiry: { fields: ['expires_at'] },
  },
})

/** One message of a snapshot. */
export interface SnapshotMessage {
  readonly role: 'person' | 'agent'
  /** Of another agent than the chat's, which asked it in the place of the person. */
  readonly name?: string
  /** Markdown. */
  readonly text: string
  readonly at: string | null
  readonly partial: boolean
}

/** What a shared chat was when its link was made. Has the id of its share, and its life. */
export interface Snapshot {
  readonly id: string
  readonly user_id: string
  readonly agent_name: string | null
  readonly messages: readonly SnapshotMessage[]
}

export const snapshotCollection = defineCollection<Snapshot>()({
  name: 'share.snapshots',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** What the links of one user amount to. Its id is the user's. */
export interface ShareTotals {
  readonly id: string
  readonly user_id: string
  readonly links: number
  readonly snapshot_bytes: number
}

export const totalsCollection = defineCollection<ShareTotals>()({
  name: 'share.totals',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})
