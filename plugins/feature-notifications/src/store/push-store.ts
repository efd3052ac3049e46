import { defineCollection } from '@agent-service/sdk/services/database'

/** A browser of a person that asked for notifications. */
export interface PushDevice {
  readonly id: string
  readonly user_id: string
  /** The session that it was added in, with which the device ends. */
  readonly session_id: string
  /** A hash of {@link target}, by which a browser that comes again is known. */
  readonly fingerprint: string
  /** Sealed {@link PushTarget}: whoever has the endpoint can fill the device's screen. */
  readonly target: string
  /** The host of the push service, for people. */
  readonly service: string
  readonly name: string
  readonly language: string
  /** The number of the VAPID pair that it subscribed with. */
  readonly vapid: number
  readonly created_at: string
  /** When the push service last took something for it. */
  readonly used_at: string | null
}

/** Where messages to a device go, and how they are encrypted. Keys are base64url. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export const deviceCollection = defineCollection<PushDevice>()({
  name: 'notifications.devices',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_fingerprint: { fields: ['fingerprint'], unique: true },
    by_id: { fields: ['id'] },
  },
  sealed: ['target'],
})

/** A message to one device that has not arrived at its push service. */
export interface PendingPush {
  readonly id: string
  readonly user_id: string
  readonly device_id: string
  /** Messages about the same thing have the same topic: a newer one replaces the older one. */
  readonly topic: string
  readonly kind: string
  readonly title: string
  readonly text: string
  readonly link: string | null
  /** In the list of the person: once it was read there, nothing is sent. Null: it is not there. */
  readonly notification_id: string | null
  readonly attempts: number
  readonly due_at: string
  readonly expires_at: string
}

export const pushCollection = defineCollection<PendingPush>()({
  name: 'notifications.pushes',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_topic: { fields: ['device_id', 'topic'], unique: true },
    by_due: { fields: ['due_at'] },
  },
})

/** Which pages of the console a person is looking at. */
export interface Presence {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  /** Until when a page counts as seen unless it says so again, by the page. */
  readonly pages: Readonly<Record<string, string>>
}

export const presenceCollection = defineCollection<Presence>()({
  name: 'notifications.presence',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})
