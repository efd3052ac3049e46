import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, notFoundError, ok, sessionRequiredError } from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { pushDisabledError, pushTargetInvalidError, tooManyDevicesError } from '../common/errors.js'
import type { PushOutcome } from '../common/metrics.js'
import type { Preferences } from '../kinds/preferences.js'
import type { Devices } from '../push/devices.js'
import type { PresenceOfPeople } from '../push/presence.js'
import type { Vapid } from '../push/vapid.js'
import type { PushDevice } from '../store/push-store.js'
import { ownerOf } from './notification-routes.js'

const tags = ['notifications']
const params = Type.Object({ device_id: Type.String({ minLength: 1, maxLength: 100 }) })
const key = (bytes: number) => Type.String({ pattern: '^[A-Za-z0-9_-]+={0,2}$', maxLength: Math.ceil(bytes / 3) * 4 })

const deviceSchema = namedObject('NotificationDevice', {
  id: Type.String({ examples: ['0198a3c2-6f1e-7bd4-9c55-3f0f7d0a51c2'] }),
  name: Type.String({ examples: ['Firefox, Android'] }),
  service: Type.String({ description: 'The host of its push service.', examples: ['updates.push.services.mozilla.com'] }),
  created_at: Type.String(),
  used_at: Type.Union([Type.String(), Type.Null()], { description: 'When its push service last took a notification.' }),
  current: Type.Boolean({ description: 'Whether it was added in the session that asks.' }),
})

const devicesSchema = namedObject('NotificationDevices', {
  public_key: Type.Union([Type.String(), Type.Null()], {
    description: 'What browsers subscribe with (`applicationServerKey`). Null: this service sends nothing to devices.',
  }),
  content: Type.Boolean({ description: 'Whether devices show what has happened, beside its kind.' }),
  devices: Type.Array(deviceSchema, { description: 'The newest first.' }),
})

const newDeviceSchema = namedObject('NewNotificationDevice', {
  endpoint: Type.String({ minLength: 1, maxLength: 1_000, description: 'Of the push service, as the browser gave it.' }),
  keys: namedObject('NotificationDeviceKeys', { p256dh: key(65), auth: key(16) }),
  name: Type.String({ minLength: 1, maxLength: 100, description: 'For the person.' }),
  language: Type.String({ pattern: '^[a-z]{2,3}$', description: 'Of what it shows, such as de.' }),
})

const outcomes = ['sent', 'retried', 'gone', 'signed_out', 'refused', 'rejected', 'expired', 'read'] as const satisfies PushOutcome[]

export interface PushRouteParts {
  /** Absent: switched off. */
  readonly push:
    | { readonly devices: Devices; readonly vapid: Vapid; readonly test: (device: PushDevice, signal: AbortSignal) => Promise<PushOutcome> }
    | undefined
  readonly preferences: Pick<Preferences, 'showsContent' | 'showContent'>
  readonly presence: Pick<PresenceOfPeople, 'note'>
  readonly tests: Limit
}

/** The devices of a person. */
export const createPushRoutes = (parts: PushRouteParts): readonly HttpRoute[] => [
  listRoute(parts),
  changeRoute(parts),
  addRoute(parts),
  removeRoute(parts),
  testRoute(parts),
  presenceRoute(parts),
]

const viewOf = ({ id, name, service, created_at, used_at, session_id }: PushDevice, session: string | undefined): JsonObject => ({
  id,
  name,
  service,
  created_at,
  used_at,
  current: session_id === session,
})

async function viewFor({ push, preferences }: PushRouteParts, userId: string, session: string | undefined): Promise<JsonObject> {
  const content = await preferences.showsContent(userId)
  if (!push) return { public_key: null, content, devices: [] }
  const devices = (await push.devices.list(userId)).map((device) => viewOf(device, session))
  return { public_key: await push.vapid.publicKey(push.vapid.current), content, devices }
}

const listRoute = (parts: PushRouteParts): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/api/notifications/devices',
    operationId: 'getNotificationDevices',
    summary: 'Get the devices that the caller’s notifications go to',
    tags,
    auth: 'user',
    answers: { 200: { description: 'The devices, and what browsers subscribe with.', schema: devicesSchema } },
    handle: async (request) => ok(await viewFor(parts, ownerOf(request), request.principal?.sessionId)),
  })

const changeRoute = (parts: PushRouteParts): HttpRoute =>
  defineRoute({
    method: 'PATCH',
    path: '/api/notifications/devices',
    operationId: 'updateNotificationDevices',
    summary: 'Choose what devices show',
    tags,
    auth: 'user',
    body: { kind: 'json', schema: Type.Object({ content: Type.Boolean() }), example: { content: false } },
    answers: { 200: { description: 'The devices.', schema: devicesSchema } },
    async handle(request) {
      await parts.preferences.showContent(ownerOf(request), request.body.content)
      return ok(await viewFor(parts, ownerOf(request), request.principal?.sessionId))
    },
  })

const addRoute = ({ push }: PushRouteParts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/notifications/devices',
    operationId: 'addNotificationDevice',
    summary: 'Send notifications to the browser that asks',
    description: 'It lasts as long as the session that asks. A browser that is there already is brought up to date.',
    tags,
    auth: 'user',
    session: true,
    body: { kind: 'json', schema: newDeviceSchema, example: exampleDevice },
    errors: [pushTargetInvalidError, tooManyDevicesError, pushDisabledError],
    answers: { 200: { description: 'The device.', schema: deviceSchema } },
    async handle(request) {
      const sessionId = request.principal?.sessionId
      if (sessionId === undefined) throw sessionRequiredError.create({})
      if (!push) throw pushDisabledError.create({})
      const { endpoint, keys, name, language } = request.body
      const device = await push.devices.add({ userId: ownerOf(request), sessionId, name, language, target: { endpoint, ...keys } })
      return ok(viewOf(device, sessionId))
    },
  })

const exampleDevice = {
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  name: 'Firefox, Android',
  language: 'en',
}

const removeRoute = ({ push }: PushRouteParts): HttpRoute =>
  defineRoute({
    method: 'DELETE',
    path: '/api/notifications/devices/{device_id}',
    operationId: 'removeNotificationDevice',
    summary: 'Send no more notifications to a device',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: { 204: { description: 'Removed.' } },
    async handle(request) {
      if (!push) throw notFoundError.create({ what: 'device' })
      await push.devices.remove(ownerOf(request), request.params.device_id)
      return noContent()
    },
  })

const testRoute = ({ push, tests }: PushRouteParts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/notifications/devices/{device_id}/test',
    operationId: 'testNotificationDevice',
    summary: 'Send a test notification to a device',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: {
      200: {
        description: 'What became of it.',
        schema: namedObject('NotificationTest', {
          outcome: Type.Union(
            outcomes.map((outcome) => Type.Literal(outcome)),
            { description: '`sent`: the push service has taken it; `retried`: it could not, and is tried again.' },
          ),
        }),
      },
    },
    async handle(request) {
      const userId = ownerOf(request)
      const device = (await push?.devices.list(userId))?.find(({ id }) => id === request.params.device_id)
      if (!push || !device) throw notFoundError.create({ what: 'device' })
      const hold = tests.take(`user:${userId}`)
      try {
        return ok({ outcome: await push.test(device, request.signal) })
      } finally {
        hold.release()
      }
    },
  })

const presenceRoute = ({ presence }: PushRouteParts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/notifications/presence',
    operationId: 'notePresence',
    summary: 'Say whether a page of the console is seen',
    description: 'Of what a person would see there anyway, their devices are not told. A page that is seen says so every minute.',
    tags,
    auth: 'user',
    session: true,
    body: {
      kind: 'json',
      schema: Type.Object({ page: Type.String({ pattern: '^[A-Za-z0-9-]{8,40}$' }), visible: Type.Boolean() }),
      example: { page: '5f8b1c9e-0d61-4a0e-9a55-0f7d0a51c2aa', visible: true },
    },
    answers: { 204: { description: 'Noted.' } },
    async handle(request) {
      await presence.note(ownerOf(request), request.body.page, request.body.visible)
      return noContent()
    },
  })
