import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'
import { deviceCollection, presenceCollection, pushCollection } from './push-store.js'

/** A stored notification. */
export interface StoredNotification {
  /** A UUIDv7: newer ones sort after older ones. */
  readonly id: string
  readonly user_id: string
  readonly kind: string
  /** The sender's: with user and kind it is unique. */
  readonly key: string
  readonly title: string
  readonly text: string
  readonly link: string | null
  /** Ids of what it is about. */
  readonly about: Readonly<Record<string, string>>
  readonly created_at: string
  readonly read_at: string | null
  /** `gone`: only its key is kept, so that it cannot arrive again. */
  readonly place: 'list' | 'gone'
  /** True while it is in the list and unread, else null. */
  readonly unread: true | null
  /** True if it goes by e-mail, else null. */
  readonly mailed: true | null
  /** When nothing of it is kept any more. */
  readonly forget_at: string
}

export const notificationCollection = defineCollection<StoredNotification>()({
  name: 'notifications.items',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_place: { fields: ['user_id', 'place', 'id'] },
    by_unread: { fields: ['user_id', 'unread', 'id'] },
    by_key: { fields: ['user_id', 'kind', 'key'], unique: true },
    by_mailed: { fields: ['user_id', 'kind', 'mailed', 'id'] },
    by_forget: { fields: ['forget_at'] },
  },
  migrations: [
    {
      to: 2,
      description: 'Notifications know whether they go by e-mail. Those from before count as not.',
      migrate: (notification) => ({ ...notification, mailed: null }),
    },
  ],
})

/** How many notifications a user has in the list. */
export interface NotificationCounts {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  readonly listed: number
  readonly unread: number
}

export const countsCollection = defineCollection<NotificationCounts>()({
  name: 'notifications.counts',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

/** What a person has decided about a kind; absent members follow the kind's defaults. */
export interface KindChoice {
  readonly app?: boolean
  readonly mail?: boolean
  readonly push?: boolean
}

/** What a person wants. */
export interface NotificationPreferences {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  readonly kinds: Readonly<Record<string, KindChoice>>
  /** False: devices show the kind alone. */
  readonly push_content?: boolean
}

export const preferencesCollection = defineCollection<NotificationPreferences>()({
  name: 'notifications.preferences',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

/** A secret of this deployment, such as the key that signs links in e-mails. */
export interface SigningKey {
  readonly id: string
  readonly key: string
}

export const signingKeyCollection = defineCollection<SigningKey>()({
  name: 'notifications.signing_keys',
  version: 1,
  indexes: {},
  sealed: ['key'],
})

/** Those of users, in the order in which they are erased. */
export const userCollections: readonly CollectionDefinition[] = [
  notificationCollection,
  countsCollection,
  preferencesCollection,
  pushCollection,
  deviceCollection,
  presenceCollection,
]

export const collections: readonly CollectionDefinition[] = [...userCollections, signingKeyCollection]

/** How long the key of a deleted notification is kept, so that it does not come back. */
export const rememberMs = 35 * 24 * 3_600_000

export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString()
