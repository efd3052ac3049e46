import { createMemoryDatabase, createTestClock, describeSchedulerJob, describeUserData } from '@agent-service/sdk/testing'
import {
  collections,
  countsCollection,
  notificationCollection,
  preferencesCollection,
  type StoredNotification,
  timeText,
} from './store/notification.js'
import { createPruneJob } from './store/prune.js'
import { createNotificationUserData } from './user-data.js'

const notificationOf = (userId: string, changes: Partial<StoredNotification> = {}): StoredNotification => ({
  id: `n-${userId}`,
  user_id: userId,
  kind: 'task.failed',
  key: 'k',
  title: 'T',
  text: '',
  link: null,
  about: {},
  created_at: '2026-01-01T00:00:00.000Z',
  read_at: null,
  place: 'list',
  unread: true,
  mailed: null,
  forget_at: '2026-04-01T00:00:00.000Z',
  ...changes,
})

describeUserData({
  name: 'of notifications',
  create() {
    const database = createMemoryDatabase(collections)
    return {
      data: createNotificationUserData(database),
      database,
      async fill(userId) {
        await database.collection(notificationCollection).insert(notificationOf(userId))
        await database.collection(countsCollection).put({ id: userId, user_id: userId, listed: 1, unread: 1 })
        await database.collection(preferencesCollection).put({ id: userId, user_id: userId, kinds: { 'task.failed': { mail: true } } })
      },
      fillMany: (userId) =>
        database.transaction(async (transaction) => {
          for (let index = 0; index <= 200; index += 1)
            transaction.insert(notificationCollection, notificationOf(userId, { id: `n-${userId}-${index}`, key: `k-${index}` }))
        }),
      secrets: [],
      restarted: 'not applicable',
    }
  },
})

describeSchedulerJob({
  name: 'of notifications',
  async create() {
    const database = createMemoryDatabase(collections)
    const clock = createTestClock()
    const timeIn = (milliseconds: number): string => timeText(clock.now() + milliseconds)
    const old = { forget_at: timeIn(-1) }
    const kept = { forget_at: timeIn(1) }
    const stored = [
      ...Array.from({ length: 3 }, (_, index) => notificationOf('user-1', { ...old, id: `old-${index}`, key: `old-${index}` })),
      notificationOf('user-1', { ...old, id: 'read', key: 'read', unread: null, read_at: timeIn(-2) }),
      notificationOf('user-1', { ...kept, id: 'kept', key: 'kept' }),
      notificationOf('user-2', { ...old, id: 'forgotten', key: 'forgotten', place: 'gone', unread: null }),
      notificationOf('user-2', { ...kept, id: 'other', key: 'other' }),
    ]
    await database.transaction(async (transaction) => {
      for (const notification of stored) transaction.insert(notificationCollection, notification)
    })
    await database.collection(countsCollection).put({ id: 'user-1', user_id: 'user-1', listed: 5, unread: 4 })
    await database.collection(countsCollection).put({ id: 'user-2', user_id: 'user-2', listed: 1, unread: 1 })
    const create = () => createPruneJob({ database, clock })
    return {
      job: create(),
      restarted: create,
      state: () => [
        database.documents(notificationCollection.name).map(({ id }) => id),
        JSON.parse(JSON.stringify(database.documents(countsCollection.name))),
      ],
      after: [
        ['kept', 'other'],
        [
          { id: 'user-1', user_id: 'user-1', listed: 1, unread: 1 },
          { id: 'user-2', user_id: 'user-2', listed: 1, unread: 1 },
        ],
      ],
    }
  },
})
