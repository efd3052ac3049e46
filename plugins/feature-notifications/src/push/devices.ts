import { createHash } from 'node:crypto'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { v7 as uuidv7 } from 'uuid'
import { pushTargetInvalidError, tooManyDevicesError } from '../common/errors.js'
import { countsCollection, timeText } from '../store/notification.js'
import { deviceCollection, type PushDevice, type PushTarget, pushCollection } from '../store/push-store.js'
import { areKeysSound } from './encrypt.js'

/** A browser that wants notifications. */
export interface NewDevice {
  readonly userId: string
  readonly sessionId: string
  readonly target: PushTarget
  readonly name: string
  readonly language: string
}

/** The devices of people. */
export interface Devices {
  /** Those whose session can be used, the newest first; others are deleted. */
  list(userId: string): Promise<readonly PushDevice[]>
  /**
   * Adds a browser. One that is there already gets the new session, name and language, and no longer
   * belongs to the person it had before. @throws `push_target_invalid`, `push_too_many_devices`.
   */
  add(device: NewDevice): Promise<PushDevice>
  /** @throws `not_found`. */
  remove(userId: string, id: string): Promise<void>
  /** Deletes a device that can receive nothing more, with what waits for it. */
  forget(device: PushDevice, reason: string): Promise<void>
  /** Deletes all whose session can no longer be used. */
  sweep(signal: AbortSignal): Promise<void>
  target(device: PushDevice): Promise<PushTarget>
}

export interface DeviceParts {
  readonly database: Database
  readonly clock: Clock
  readonly accounts: Pick<Accounts, 'hasSession'>
  readonly audit: Pick<Audit, 'record'>
  readonly sealedFields: SealedFields
  readonly maxDevices: number
  /** The number of the VAPID pair that browsers subscribe with now. */
  readonly vapid: number
}

const placeOf = (id: string) => ({ collection: deviceCollection, id, field: 'target' })

export function createDevices(parts: DeviceParts): Devices {
  const { database, accounts, audit, sealedFields } = parts
  const devices = database.collection(deviceCollection)
  const drop = (device: PushDevice, reason: string): Promise<boolean> =>
    database.transaction(async (transaction) => {
      if (!(await transaction.get(deviceCollection, device.id))) return false
      transaction.delete(deviceCollection, device.id)
      const { id, user_id, name } = device
      audit.record(transaction, { kind: 'push_device.removed', subject: user_id, details: { device_id: id, name, reason } })
      return true
    })
  const all = async (userId: string): Promise<readonly PushDevice[]> =>
    (await devices.query({ index: 'by_user', equals: [userId], order: 'descending', limit: 200 })).items
  const forget: Devices['forget'] = async (device, reason) => {
    await drop(device, reason)
    await dropPushes(database, device.id)
  }
  const list: Devices['list'] = async (userId) => {
    const live: PushDevice[] = []
    for (const device of await all(userId)) {
      if (await accounts.hasSession(userId, device.session_id)) live.push(device)
      else await forget(device, 'signed_out')
    }
    return live
  }
  return {
    list,
    forget,
    async add(device) {
      checkTarget(device.target)
      // Those of ended sessions make room.
      await list(device.userId)
      return store(parts, device)
    },
    async remove(userId, id) {
      const device = await devices.get(id)
      if (device?.user_id !== userId) throw notFoundError.create({ what: 'device' })
      await forget(device, 'removed')
    },
    async sweep(signal) {
      for (let from = ''; ; ) {
        signal.throwIfAborted()
        const { items } = await devices.query({ index: 'by_id', from, limit: 100 })
        for (const device of items) if (!(await accounts.hasSession(device.user_id, device.session_id))) await forget(device, 'signed_out')
        const last = items.at(-1)
        if (last === undefined) return
        from = `${last.id}\u0000`
      }
    },
    target: async (device) => JSON.parse(await sealedFields.open(device.target, placeOf(device.id))) as PushTarget,
  }
}

/** Whether anything of a person could go to a device: cheap, and true also while only an ended session has one. */
export const hasDevices = async (database: Database, userId: string): Promise<boolean> =>
  (await database.collection(deviceCollection).query({ index: 'by_user', equals: [userId], limit: 1 })).items.length > 0

async function store(parts: DeviceParts, device: NewDevice): Promise<PushDevice> {
  const { database, clock, audit, sealedFields, maxDevices, vapid } = parts
  const { userId, sessionId, target, name, language } = device
  const id = uuidv7()
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([target.endpoint, target.p256dh, target.auth]))
    .digest('base64url')
  const sealed = await sealedFields.seal(JSON.stringify(target), placeOf(id))
  const present = { session_id: sessionId, name, language, vapid }
  return database.transaction(async (transaction) => {
    const stored = await transaction.find(deviceCollection, 'by_fingerprint', [fingerprint])
    if (stored?.user_id === userId) {
      const renewed: PushDevice = { ...stored, ...present }
      transaction.put(deviceCollection, renewed)
      return renewed
    }
    await requireRoom(database, transaction, { userId, max: maxDevices })
    // Another person signed in on this browser: what comes to it is theirs from now on.
    if (stored) transaction.delete(deviceCollection, stored.id)
    const added: PushDevice = {
      id,
      user_id: userId,
      fingerprint,
      target: sealed,
      service: new URL(target.endpoint).hostname,
      ...present,
      created_at: timeText(clock.now()),
      used_at: null,
    }
    transaction.insert(deviceCollection, added)
    audit.record(transaction, { kind: 'push_device.added', subject: userId, details: { device_id: id, name } })
    return added
  })
}

/**
 * The counts of the person are written as they are: of several devices that are added at the same
 * moment, each is counted again after the one before it.
 */
async function requireRoom(
  database: Database,
  transaction: Transaction,
  { userId, max }: { readonly userId: string; readonly max: number },
): Promise<void> {
  const counts = await transaction.get(countsCollection, userId)
  transaction.put(countsCollection, counts ?? { id: userId, user_id: userId, listed: 0, unread: 0 })
  const { items } = await database.collection(deviceCollection).query({ index: 'by_user', equals: [userId], limit: max })
  if (items.length >= max) throw tooManyDevicesError.create({ max })
}

/** What waits for a device, in portions that fit a transaction. */
async function dropPushes(database: Database, deviceId: string): Promise<void> {
  const query = { index: 'by_topic', equals: [deviceId], limit: 100 } as const
  for (;;) {
    const { items } = await database.collection(pushCollection).query(query)
    if (items.length === 0) return
    await database.transaction(async (transaction: Transaction) => {
      for (const { id } of items) transaction.delete(pushCollection, id)
    })
  }
}

/** Push services have public names. Where a name leads is checked again at every request. */
function checkTarget({ endpoint, p256dh, auth }: PushTarget): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.port !== '')
    throw pushTargetInvalidError.create({ member: 'endpoint', expected: 'an address with https, on its usual port' })
  if (!/\.[a-z][a-z0-9-]*$/.test(url.hostname) || url.hostname.endsWith('.localhost'))
    throw pushTargetInvalidError.create({ member: 'endpoint', expected: 'an address with the name of a public host' })
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  if (!areKeysSound(keys)) throw pushTargetInvalidError.create({ member: 'keys', expected: 'those that the browser gave' })
}
