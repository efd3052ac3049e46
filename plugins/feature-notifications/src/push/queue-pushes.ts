import { createHash } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import { cut } from '../service/check-input.js'
import { timeText } from '../store/notification.js'
import { type PushDevice, pushCollection } from '../store/push-store.js'

const maxText = 300
/** A message that could not be handed over within a day is too old to show. */
const lifetimeMs = 24 * 3_600_000
/** How many wait for one person at most, over all devices. */
const maxWaiting = 200

/** What is said on a device. */
export interface PushContent {
  readonly kind: string
  readonly title: string
  readonly text: string
  readonly link: string | null
  readonly notificationId: string | null
}

/** Whether one more may wait for a person. */
export async function hasRoomForPushes(database: Database, userId: string): Promise<boolean> {
  const waiting = await database.collection(pushCollection).query({ index: 'by_user', equals: [userId], limit: maxWaiting })
  return waiting.items.length < maxWaiting
}

/** Stores a message for each device, replacing an earlier one about the same thing. Returns their ids. */
export async function queuePushes(
  transaction: Transaction,
  devices: readonly Pick<PushDevice, 'id' | 'user_id'>[],
  { kind, title, text, link, notificationId }: PushContent,
  clock: Pick<Clock, 'now'>,
): Promise<readonly string[]> {
  const topic = topicOf(kind, link ?? notificationId ?? title)
  const now = clock.now()
  const ids: string[] = []
  for (const { id: device_id, user_id } of devices) {
    const earlier = await transaction.find(pushCollection, 'by_topic', [device_id, topic])
    const id = earlier?.id ?? uuidv7()
    transaction.put(pushCollection, {
      id,
      user_id,
      device_id,
      topic,
      kind,
      title,
      text: cut(text, maxText),
      link,
      notification_id: notificationId,
      attempts: 0,
      due_at: timeText(now),
      expires_at: timeText(now + lifetimeMs),
    })
    ids.push(id)
  }
  return ids
}

/** At most 32 characters of base64url (RFC 8030, section 5.4). */
const topicOf = (kind: string, about: string): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, about]))
    .digest('base64url')
    .slice(0, 32)
