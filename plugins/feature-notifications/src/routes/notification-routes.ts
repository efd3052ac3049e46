import { namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { NotificationList } from '../store/notification-list.js'
import { notificationSchema, viewOf } from './views.js'

const tags = ['notifications']
const params = Type.Object({ notification_id: Type.String({ minLength: 1, maxLength: 100 }) })
const unread = Type.Integer({ minimum: 0, description: 'How many are unread.', examples: [3] })
const pageSchema = namedObject('NotificationPage', {
  items: Type.Array(notificationSchema),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Pass it as `cursor` to get the next page; null on the last one.',
    examples: [null],
  }),
  unread,
  devices: Type.Boolean({ description: 'Whether notifications go to devices too. Then pages say whether they are seen.' }),
})

/** The caller's user id. Every route here needs a user, so the host never calls without. */
export function ownerOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}

/** The list of a person. */
export const createNotificationRoutes = ({
  list,
  marking,
  hasDevices,
}: {
  readonly list: NotificationList
  /** The share of one person in marking all as read. */
  readonly marking: Limit
  readonly hasDevices: (userId: string) => Promise<boolean>
}): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/api/notifications',
    operationId: 'listNotifications',
    summary: "List the caller's notifications, newest first, with the number of unread ones",
    tags,
    auth: 'user',
    query: Type.Object({
      unread: Type.Optional(Type.Boolean({ description: 'Only those that are unread.' })),
      ...pageQuerySchema.properties,
    }),
    answers: { 200: { description: 'One page.', schema: pageSchema } },
    async handle(request) {
      const query = request.query as { readonly limit?: number; readonly cursor?: string; readonly unread?: boolean }
      const { items, next_cursor } = await list.page(ownerOf(request), query)
      const [unread, devices] = await Promise.all([list.unread(ownerOf(request)), hasDevices(ownerOf(request))])
      return ok({ items: items.map(viewOf), next_cursor, unread, devices })
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/notifications/{notification_id}',
    operationId: 'updateNotification',
    summary: 'Mark a notification as read or unread',
    tags,
    auth: 'user',
    params,
    body: { kind: 'json', schema: Type.Object({ read: Type.Boolean() }, { minProperties: 1 }), example: { read: true } },
    errors: [notFoundError],
    answers: { 200: { description: 'The notification.', schema: notificationSchema } },
    handle: async (request) => ok(viewOf(await list.mark(ownerOf(request), request.params.notification_id, request.body.read))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/notifications/{notification_id}',
    operationId: 'deleteNotification',
    summary: 'Delete a notification',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: { 204: { description: 'Deleted.' } },
    async handle(request) {
      await list.remove(ownerOf(request), request.params.notification_id)
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/notifications/read',
    operationId: 'readNotifications',
    summary: 'Mark all notifications as read, or all up to one',
    tags,
    auth: 'user',
    body: {
      kind: 'json',
      schema: Type.Object({
        until: Type.Optional(
          Type.String({
            ...{ minLength: 1, maxLength: 100 },
            description: 'The newest one that counts, so that what arrives meanwhile stays unread.',
          }),
        ),
      }),
      example: {},
    },
    answers: { 200: { description: 'How many are unread now.', schema: namedObject('UnreadNotifications', { unread }) } },
    async handle(request) {
      const { until } = request.body
      const hold = marking.take(`user:${ownerOf(request)}`)
      try {
        return ok({ unread: await list.readAll(ownerOf(request), { signal: request.signal, ...(until === undefined ? {} : { until }) }) })
      } finally {
        hold.release()
      }
    },
  }),
]
