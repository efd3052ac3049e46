import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Mail } from '@agent-service/sdk/services/mail'
import { kindUnknownError } from '../common/errors.js'
import type { KindRegistry } from '../kinds/kind-registry.js'
import type { PreferenceChange, Preferences } from '../kinds/preferences.js'
import { ownerOf } from './notification-routes.js'
import { preferencesSchema, viewOfKind } from './views.js'

const tags = ['notifications']
const wanted = Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description: 'Null: as the kind has it by default.' }))

const choiceSchema = namedObject('NotificationChoice', { app: wanted, mail: wanted, push: wanted })

/** What a person wants of which kind. */
export function createPreferenceRoutes(dependencies: {
  readonly kinds: KindRegistry
  readonly preferences: Preferences
  readonly accounts: Pick<Accounts, 'get' | 'contact'>
  readonly mail: Mail | undefined
}): readonly HttpRoute[] {
  const { kinds, preferences, accounts, mail } = dependencies
  const roleOf = async (userId: string) => (await accounts.get(userId))?.role ?? 'user'
  const mailOf = async (userId: string): Promise<JsonObject> => {
    const contact = await accounts.contact(userId)
    const address = contact?.email ?? null
    const status = mail?.status()
    if (!status) return { available: false, reason: 'no_plugin', address }
    if (!status.available) return { available: false, reason: status.code, address }
    if (address !== null) return { available: true, reason: null, address }
    return { available: false, reason: contact?.hasUnconfirmedEmail === true ? 'unconfirmed_address' : 'no_address', address }
  }
  const viewFor = async (userId: string): Promise<JsonObject> => {
    const choices = await preferences.choicesOf(userId)
    const known = kinds.list(await roleOf(userId))
    const views = known.map((kind) => {
      const { app = kind.app, mail: byMail = kind.mail, push = kind.push } = choices[kind.id] ?? {}
      return viewOfKind(kind, { app, mail: byMail, push })
    })
    return { kinds: views, mail: await mailOf(userId) }
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/notifications/preferences',
      operationId: 'getNotificationPreferences',
      summary: 'Get which kinds of notifications the caller gets, and where',
      tags,
      auth: 'user',
      answers: { 200: { description: 'The kinds, and whether e-mail can be sent.', schema: preferencesSchema } },
      handle: async (request) => ok(await viewFor(ownerOf(request))),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/notifications/preferences',
      operationId: 'updateNotificationPreferences',
      summary: 'Turn kinds of notifications on or off',
      description: 'Kinds and members that are left out stay as they are.',
      tags,
      auth: 'user',
      body: {
        kind: 'json',
        schema: Type.Object({
          kinds: Type.Record(Type.String({ maxLength: 100 }), choiceSchema, { maxProperties: 200 }),
        }),
        example: { kinds: { 'task.failed': { mail: true } } },
      },
      errors: [kindUnknownError],
      answers: { 200: { description: 'The preferences.', schema: preferencesSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        await preferences.change(userId, await roleOf(userId), request.body.kinds as PreferenceChange)
        return ok(await viewFor(userId))
      },
    }),
  ]
}
