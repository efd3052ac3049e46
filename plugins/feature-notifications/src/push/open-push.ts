import type { PluginContext } from '@agent-service/sdk'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { sealedFieldsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import type { NotificationMetrics, PushOutcome } from '../common/metrics.js'
import type { KindRegistry } from '../kinds/kind-registry.js'
import type { Preferences } from '../kinds/preferences.js'
import type { PushDevice } from '../store/push-store.js'
import { createDevices, type Devices } from './devices.js'
import { startPushEngine } from './push-engine.js'
import { queuePushes } from './queue-pushes.js'
import { type SendParts, sendPush } from './send-push.js'
import { createVapid, type Vapid } from './vapid.js'

/** Notifications on devices. */
export interface Push {
  readonly devices: Devices
  readonly vapid: Vapid
  /** Looks for messages that are due. */
  wake(): void
  /** Sends a test to a device at once. */
  test(device: PushDevice, signal: AbortSignal): Promise<PushOutcome>
}

/** The settings of the plugin that are about devices. */
export interface PushSettings {
  readonly push_contact?: string
  readonly push_devices_per_user: number
  readonly push_key: number
}

/** Begins to send what waits for devices; ends with the plugin. */
export function openPush(
  context: Pick<PluginContext<unknown>, 'use' | 'onDispose' | 'log'>,
  settings: PushSettings,
  parts: { readonly kinds: KindRegistry; readonly preferences: Preferences; readonly metrics: NotificationMetrics },
): Push {
  const [database, clock, accounts] = [context.use(databaseService), context.use(clockService), context.use(accountsService)]
  const [sealedFields, urls] = [context.use(sealedFieldsService), context.use(urlService)]
  const contact = (): string => settings.push_contact ?? contactOf(urls.page('/'))
  const vapid = createVapid({ database, sealedFields, clock, current: settings.push_key, contact })
  const devices = createDevices({
    database,
    clock,
    accounts,
    sealedFields,
    audit: context.use(auditService),
    maxDevices: settings.push_devices_per_user,
    vapid: vapid.current,
  })
  const sending: SendParts = { database, clock, accounts, devices, vapid, ...parts, http: context.use(httpClientService), log: context.log }
  const engine = startPushEngine({ database, clock, log: context.log, send: (id, options) => sendPush(sending, id, options) })
  context.onDispose(() => engine.end())
  engine.wake()
  return {
    devices,
    vapid,
    wake: engine.wake,
    async test(device, signal) {
      const content = { kind: 'test', title: testTitles[device.language] ?? 'It works', text: '', link: null, notificationId: null }
      const [id] = await database.transaction((transaction) => queuePushes(transaction, [device], content, clock))
      return (id !== undefined && (await sendPush(sending, id, { signal }))) || 'retried'
    },
  }
}

const testTitles: Readonly<Record<string, string>> = { en: 'Notifications arrive here.', de: 'Benachrichtigungen kommen hier an.' }

/** Push services refuse addresses that cannot be real, such as that of a console on localhost. */
const contactOf = (page: string): string => (page.startsWith('https:') ? page : 'mailto:postmaster@example.com')
