import type { Logger } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import {
  type HttpClient,
  type HttpClientResponse,
  httpAddressRefusedError,
  httpRedirectRefusedError,
  httpRequestInvalidError,
} from '@agent-service/sdk/services/http-client'
import type { NotificationMetrics, PushOutcome } from '../common/metrics.js'
import type { KindRegistry } from '../kinds/kind-registry.js'
import type { Preferences } from '../kinds/preferences.js'
import { countsCollection, notificationCollection, timeText } from '../store/notification.js'
import { deviceCollection, type PendingPush, type PushDevice, pushCollection } from '../store/push-store.js'
import { composeMessage } from './compose-message.js'
import type { Devices } from './devices.js'
import { encryptMessage } from './encrypt.js'
import type { Vapid } from './vapid.js'

/** What sending depends on. */
export interface SendParts {
  readonly database: Database
  readonly clock: Clock
  readonly http: Pick<HttpClient, 'request'>
  readonly accounts: Pick<Accounts, 'hasSession'>
  readonly devices: Devices
  readonly vapid: Vapid
  readonly kinds: Pick<KindRegistry, 'get'>
  readonly preferences: Pick<Preferences, 'showsContent'>
  readonly metrics: Pick<NotificationMetrics, 'pushed'>
  readonly log: Logger
}

/** An attempt that has not ended by then counts as lost: its process is dead. */
const claimMs = 120_000
const limits = { totalMs: 20_000, headersMs: 15_000, idleMs: 10_000, maxBodyBytes: 16_384 }
const firstDelayMs = 30_000
const maxDelayMs = 3_600_000

/** Makes one attempt at a message that is due. `undefined`: another process has it, or it is not due. */
export async function sendPush(
  parts: SendParts,
  id: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<PushOutcome | undefined> {
  const push = await claim(parts, id)
  if (!push) return undefined
  const outcome = await attempt(parts, push, signal)
  if (outcome !== 'retried') await end(parts, push)
  parts.metrics.pushed(outcome)
  return outcome
}

/** Takes a message for an attempt: until that must have ended it is not due for others. */
const claim = ({ database, clock }: SendParts, id: string): Promise<PendingPush | undefined> =>
  database.transaction(async (transaction) => {
    const push = await transaction.get(pushCollection, id)
    if (!push || Date.parse(push.due_at) > clock.now()) return undefined
    const claimed = { ...push, attempts: push.attempts + 1, due_at: timeText(clock.now() + claimMs) }
    transaction.put(pushCollection, claimed)
    return claimed
  })

/** Deletes a message, unless a newer one has replaced it. */
const end = ({ database }: SendParts, push: PendingPush): Promise<void> =>
  database.transaction(async (transaction) => {
    const stored = await transaction.get(pushCollection, push.id)
    if (stored?.due_at === push.due_at) transaction.delete(pushCollection, push.id)
  })

async function attempt(parts: SendParts, push: PendingPush, signal: AbortSignal): Promise<PushOutcome> {
  const { database, clock, accounts, devices } = parts
  const device = await database.collection(deviceCollection).get(push.device_id)
  if (device?.user_id !== push.user_id) return 'gone'
  if (!(await accounts.hasSession(device.user_id, device.session_id))) {
    await devices.forget(device, 'signed_out')
    return 'signed_out'
  }
  if (Date.parse(push.expires_at) <= clock.now()) return 'expired'
  if (await isRead(database, push)) return 'read'
  let answer: HttpClientResponse
  try {
    answer = await request(parts, push, device, signal)
  } catch (error) {
    signal.throwIfAborted()
    const isRefused = [httpAddressRefusedError, httpRedirectRefusedError, httpRequestInvalidError].some((each) => each.isInstance(error))
    parts.log.warn('A push service could not be reached.', { service: device.service, refused: isRefused, error })
    if (!isRefused) return retry(parts, push, undefined)
    await devices.forget(device, 'refused')
    return 'refused'
  }
  return settle(parts, push, { device, answer })
}

async function isRead(database: Database, { notification_id }: PendingPush): Promise<boolean> {
  if (notification_id === null) return false
  const item = await database.collection(notificationCollection).get(notification_id)
  return item?.unread !== true
}

/** Nothing of the message stands in the clear, and no redirect and no private address is followed. */
async function request(
  { database, clock, http, devices, vapid, kinds, preferences }: SendParts,
  push: PendingPush,
  device: PushDevice,
  signal: AbortSignal,
): Promise<HttpClientResponse> {
  const { endpoint, p256dh, auth } = await devices.target(device)
  const unread = (await database.collection(countsCollection).get(device.user_id))?.unread ?? 0
  const content = await preferences.showsContent(device.user_id)
  const message = composeMessage(push, { kinds, language: device.language, content, unread })
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  const ttl = Math.max(0, Math.floor((Date.parse(push.expires_at) - clock.now()) / 1_000))
  return http.request(
    {
      url: endpoint,
      method: 'POST',
      redirect: 'refuse',
      ports: [443],
      limits,
      headers: {
        authorization: await vapid.authorization(endpoint, device.vapid),
        ttl: String(ttl),
        urgency: urgencyOf(push),
        topic: push.topic,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
      },
      body: encryptMessage(JSON.stringify(message), keys),
    },
    { signal },
  )
}

/** What a person has to do something about may wake a device that saves its battery (RFC 8030, section 5.3). */
const urgencyOf = ({ kind }: PendingPush): string => (/\.(waiting|requested|reminder)$/.test(kind) ? 'high' : 'normal')

/** By what RFC 8030 lets a push service answer. */
async function settle(
  parts: SendParts,
  push: PendingPush,
  { device, answer }: { readonly device: PushDevice; readonly answer: HttpClientResponse },
): Promise<PushOutcome> {
  const { database, clock, devices, log } = parts
  const { status, headers } = answer
  if (status >= 200 && status < 300) {
    await database.transaction(async (transaction) => {
      const stored = await transaction.get(deviceCollection, device.id)
      if (stored) transaction.put(deviceCollection, { ...stored, used_at: timeText(clock.now()) })
    })
    return 'sent'
  }
  if (status === 404 || status === 410) {
    await devices.forget(device, 'gone')
    return 'gone'
  }
  if (status === 429 || status >= 500) return retry(parts, push, headers['retry-after'])
  log.warn('A push service rejected a message.', { service: device.service, status })
  return 'rejected'
}

async function retry({ database, clock }: SendParts, push: PendingPush, after: string | undefined): Promise<PushOutcome> {
  const pause = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(push.attempts - 1, 10))
  const due = clock.now() + Math.max(pause, Math.min(delayOf(after, clock), 24 * maxDelayMs))
  if (due >= Date.parse(push.expires_at)) return 'expired'
  await database.transaction(async (transaction) => {
    const stored = await transaction.get(pushCollection, push.id)
    // A newer message may have replaced it, and is due at once.
    if (stored?.due_at === push.due_at) transaction.put(pushCollection, { ...stored, due_at: timeText(due) })
  })
  return 'retried'
}

/** `Retry-After`: seconds, or a date. */
function delayOf(after: string | undefined, clock: Pick<Clock, 'now'>): number {
  if (after === undefined) return 0
  const milliseconds = /^\d{1,9}$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - clock.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0
}
