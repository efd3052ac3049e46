import { canHavePush, currentSubscription, language, pushManager, recall, remember } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'

/**
 * What this browser can do. `insecure`: no https; `home_screen`: iPhones and iPads have it in the
 * installed app alone; `off`: only a click is missing.
 */
export type PushState = 'insecure' | 'home_screen' | 'unsupported' | 'denied' | 'off' | 'on'

/** Whose notifications come to this browser, and their language: `<user id> <language>`. */
const memory = 'push'
const noted = (userId: string): string => `${userId} ${language()}`

/** Reads only: nobody is asked for anything. */
export async function pushState({ devices }: Schemas['NotificationDevices']): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure'
  if (!canHavePush()) return /iPhone|iPad/.test(navigator.userAgent) || isTouchingMac() ? 'home_screen' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return devices.some(({ current }) => current) && (await currentSubscription()) ? 'on' : 'off'
}

/** iPads say that they are Macs. */
const isTouchingMac = (): boolean => navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1

/** In a click: browsers ask the person here. Resolves with false if they said no. */
export async function turnPushOn(userId: string, publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await subscribe(userId, publicKey)
  return true
}

async function subscribe(userId: string, publicKey: string): Promise<void> {
  const manager = await pushManager()
  const before = await manager.getSubscription()
  // Browsers refuse another key as long as they have the subscription with the earlier one.
  const isOther = before !== null && keyText(before) !== publicKey
  if (isOther) await before.unsubscribe()
  const subscription =
    before !== null && !isOther ? before : await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const target = { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
  await api.post('/api/notifications/devices', { body: { ...target, name: ownDevice(), language: language() } })
  remember(memory, noted(userId))
}

function keyText({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** `Firefox, Android`, as far as the browser can be recognised. */
function ownDevice(): string {
  const { userAgent } = navigator
  const of = (names: readonly string[]) => names.find((name) => userAgent.includes(name))
  const browser = of(['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'])?.replace('Edg', 'Edge').replace('OPR', 'Opera')
  const system = of(['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'CrOS', 'Linux'])
  return [browser, system].filter((part) => part !== undefined).join(', ') || 'Browser'
}

/** Nothing comes to this browser any more. */
export async function turnPushOff(): Promise<void> {
  remember(memory, undefined)
  await (await currentSubscription())?.unsubscribe()
}

/**
 * At the start of the console: a browser that had notifications has them in the new session, key or
 * language too; those of another person end.
 */
export function keepPush(userId: string): Promise<void> {
  keeping ??= keep(userId)
  return keeping
}

/** Once in the life of a page, which is of one person. */
let keeping: Promise<void> | undefined

async function keep(userId: string): Promise<void> {
  const before = recall(memory)
  if (before === undefined || !canHavePush()) return
  if (!before.startsWith(`${userId} `)) return turnPushOff()
  if (Notification.permission !== 'granted') return remember(memory, undefined)
  const { public_key: publicKey, devices } = await api.get('/api/notifications/devices')
  if (publicKey === null) return
  const subscription = await currentSubscription()
  const isKept = subscription !== null && keyText(subscription) === publicKey && devices.some(({ current }) => current)
  if (!isKept || before !== noted(userId)) await subscribe(userId, publicKey)
}
