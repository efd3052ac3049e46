import type { Logger } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { DeliveredEvent, EventGap, Events } from '@agent-service/sdk/services/events'
import type { Mail } from '@agent-service/sdk/services/mail'
import type { NotificationKind } from '@agent-service/sdk/services/notifications'
import { v7 as uuidv7 } from 'uuid'
import { kindMissingError } from '../common/errors.js'
import type { NotificationMetrics } from '../common/metrics.js'
import type { KindRegistry } from '../kinds/kind-registry.js'
import type { Preferences } from '../kinds/preferences.js'
import type { Devices } from '../push/devices.js'
import type { PresenceOfPeople } from '../push/presence.js'
import { hasRoomForPushes, queuePushes } from '../push/queue-pushes.js'
import type { CheckedInput } from '../service/check-input.js'
import { idsOf } from '../service/create-notifications.js'
import { countsCollection, notificationCollection, rememberMs, type StoredNotification, timeText } from '../store/notification.js'
import type { PushDevice } from '../store/push-store.js'
import type { Unsubscribe } from '../unsubscribe/unsubscribe-links.js'
import { languageOf, words } from './mail-words.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Where a notification goes. */
interface Destinations {
  readonly app: boolean
  readonly mail: boolean
  readonly devices: readonly PushDevice[]
}

/** How often a notification whose kind is not declared yet comes again. */
const attemptsForKind = 3
/** How many old ones make room at most when one arrives. */
const maxDropped = 100

/** What brings notifications to devices. */
export interface PushParts {
  readonly devices: Pick<Devices, 'list'>
  /** Something waits. */
  readonly wake: () => void
}

/** What the arrival of notifications depends on. */
export interface DeliveryParts {
  readonly database: Database
  readonly clock: Clock
  readonly events: Pick<Events, 'record'>
  readonly accounts: Pick<Accounts, 'get' | 'contact'>
  readonly kinds: KindRegistry
  readonly preferences: Preferences
  readonly mail: Mail | undefined
  readonly unsubscribe: Pick<Unsubscribe, 'pathOf'>
  readonly metrics: NotificationMetrics
  /** Absent: nothing goes to devices. */
  readonly push: PushParts | undefined
  readonly presence: Pick<PresenceOfPeople, 'isLooking'>
  readonly log: Logger
  readonly limits: { readonly maxPerUser: number; readonly keepDays: number }
}

/**
 * Brings a notification that was sent into its owner's list, and to the e-mail if they want that.
 * Every step can be repeated: a second time finds what the first one stored.
 */
export async function deliverNotification(parts: DeliveryParts, event: DeliveredEvent | EventGap): Promise<void> {
  if (event.kind === 'gap') {
    parts.log.error('Notifications were dropped, because too many waited.', { user: event.userId, lost: event.lost })
    return
  }
  const { userId } = event
  const account = await parts.accounts.get(userId)
  if (!account) return
  const sent = event.data as unknown as CheckedInput
  const kind = parts.kinds.get(sent.kind)
  // After a start its plugin may still be starting: what the person wants depends on the kind.
  if (!kind && event.attempt <= attemptsForKind) throw kindMissingError.create({ kind: sent.kind })
  if (!kind) parts.log.warn('A notification has a kind that no plugin declares.', { kind: sent.kind })
  if (kind?.audience === 'admins' && account.role !== 'admin') return
  if (sent.unseen && (await parts.presence.isLooking(userId))) return
  const wanted = await parts.preferences.deliveryOf(userId, sent.kind)
  const mails = wanted.mail && sent.mail !== false && (await hasRoomByMail(parts, userId, kind, event.recordedAt))
  const devices = wanted.push ? await devicesOf(parts, userId) : []
  const delivery = { app: wanted.app, mail: mails, devices }
  if (!delivery.app && !delivery.mail && devices.length === 0) return
  const { item, isNew } = await store(parts, userId, sent, { delivery, sentAt: event.recordedAt })
  if (isNew && devices.length > 0) parts.push?.wake()
  if (isNew) parts.metrics.arrived(kind ? sent.kind : 'other')
  if (item.mailed) await sendMail(parts, userId, sent, item)
}

async function devicesOf({ push, database, metrics }: DeliveryParts, userId: string): Promise<readonly PushDevice[]> {
  const devices = (await push?.devices.list(userId)) ?? []
  if (devices.length === 0 || (await hasRoomForPushes(database, userId))) return devices
  metrics.pushed('too_many')
  return []
}

/** Whether the person got fewer e-mails of this kind within the hour before than there may be. */
async function hasRoomByMail(
  { database }: DeliveryParts,
  userId: string,
  kind: NotificationKind | undefined,
  at: string,
): Promise<boolean> {
  if (kind?.mailsPerHour === undefined) return true
  const query = { index: 'by_mailed', equals: [userId, kind.id, true], order: 'descending', limit: kind.mailsPerHour } as const
  const { items } = await database.collection(notificationCollection).query(query)
  const since = timeText(Date.parse(at) - hourMs)
  return items.filter(({ created_at }) => created_at > since).length < kind.mailsPerHour
}

async function store(
  parts: DeliveryParts,
  userId: string,
  sent: CheckedInput,
  { delivery, sentAt }: { readonly delivery: Destinations; readonly sentAt: string },
): Promise<{ readonly item: StoredNotification; readonly isNew: boolean }> {
  const { database, events, clock, limits } = parts
  const oldest = delivery.app ? await oldestBeyond(parts, userId) : []
  return database.transaction(async (transaction) => {
    const known = await transaction.find(notificationCollection, 'by_key', [userId, sent.kind, sent.key])
    if (known) return { item: known, isNew: false }
    const item = itemOf(userId, sent, { delivery, sentAt, now: clock.now(), keepDays: limits.keepDays })
    transaction.insert(notificationCollection, item)
    const { kind, title, text, link } = sent
    const content = { kind, title, text, link, notificationId: delivery.app ? item.id : null }
    await queuePushes(transaction, delivery.devices, content, clock)
    if (!delivery.app) return { item, isNew: true }
    const { listed, unread } = await room(transaction, userId, oldest)
    const counts = { listed: listed + 1, unread: unread + 1 }
    transaction.put(countsCollection, { id: userId, user_id: userId, ...counts })
    const { id, about, created_at } = item
    const data = { notification_id: id, kind, title, text, link, about, created_at, unread: counts.unread, ...idsOf(about) }
    events.record(transaction, { userId, name: 'notification.created', data })
    return { item, isNew: true }
  })
}

function itemOf(
  userId: string,
  { kind, key, title, text, link, about }: CheckedInput,
  at: { readonly delivery: Destinations; readonly sentAt: string; readonly now: number; readonly keepDays: number },
): StoredNotification {
  const base = { id: uuidv7(), user_id: userId, kind, key, created_at: at.sentAt, read_at: null, mailed: at.delivery.mail || null } as const
  if (at.delivery.app) {
    const forget_at = timeText(at.now + at.keepDays * dayMs)
    return { ...base, title, text, link, about, place: 'list', unread: true, forget_at }
  }
  return { ...base, title: '', text: '', link: null, about: {}, place: 'gone', unread: null, forget_at: timeText(at.now + rememberMs) }
}

/** The oldest ones that are more than may be kept once another has arrived. */
async function oldestBeyond({ database, limits }: DeliveryParts, userId: string): Promise<readonly string[]> {
  const counts = await database.collection(countsCollection).get(userId)
  const beyond = (counts?.listed ?? 0) + 1 - limits.maxPerUser
  if (beyond <= 0) return []
  const query = { index: 'by_place', equals: [userId, 'list'], limit: Math.min(beyond, maxDropped) }
  return (await database.collection(notificationCollection).query(query)).items.map(({ id }) => id)
}

/** Deletes the oldest ones. Returns the counts without them. */
async function room(
  transaction: Transaction,
  userId: string,
  oldest: readonly string[],
): Promise<{ readonly listed: number; readonly unread: number }> {
  const before = await transaction.get(countsCollection, userId)
  let { listed = 0, unread = 0 } = before ?? {}
  for (const id of oldest) {
    const old = await transaction.get(notificationCollection, id)
    if (old?.place !== 'list') continue
    transaction.delete(notificationCollection, id)
    listed -= 1
    if (old.unread) unread -= 1
  }
  return { listed, unread }
}

async function sendMail(parts: DeliveryParts, userId: string, sent: CheckedInput, item: StoredNotification): Promise<void> {
  const { mail, kinds, unsubscribe, metrics, accounts } = parts
  if (!mail) return
  const kind = kinds.get(sent.kind)
  const language = languageOf((await accounts.contact(userId))?.language)
  const title = kind?.title[language] ?? kind?.title.en ?? sent.kind
  const { outcome } = await mail.send({
    userId,
    key: `notification/${item.id}`,
    subject: subjectOf(sent, kind, title),
    text: sent.text,
    ...(sent.link === null ? {} : { link: { label: words[language].open, path: sent.link } }),
    footer: words[language].footer(title, kind?.mailsPerHour),
    unsubscribePath: await unsubscribe.pathOf(userId, sent.kind),
  })
  if (outcome !== 'known') metrics.mailed(outcome)
}

/** Plugins write subjects in English: one that begins with the title of its kind begins with it in the language of the reader. */
function subjectOf({ subject, title }: CheckedInput, kind: NotificationKind | undefined, translated: string): string {
  const original = subject ?? title
  const rest = kind && original.startsWith(kind.title.en) ? original.slice(kind.title.en.length) : undefined
  return rest === '' || rest?.startsWith(':') ? `${translated}${rest}` : original
}
