import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { createMemoryDatabase, describeSchedulerJob, describeUserData } from '@agent-service/sdk/testing'
import { collections, countsCollection, notificationCollection, preferencesCollection } from './store/notification.js'
import { openPlugin } from './test-support/open-plugin.js'
import { createNotificationUserData } from './user-data.js'

describeUserData({
  name: 'of notifications',
  create() {
    const database = createMemoryDatabase(collections)
    return {
      data: createNotificationUserData(database),
      database,
      async fill(userId) {
        await database.collection(notificationCollection).insert({
          ...{ id: `n-${userId}`, user_id: userId, kind: 'task.failed', key: 'k', title: 'T', text: '', link: null, about: {} },
          ...{
            created_at: '2026-01-01T00:00:00.000Z',
            read_at: null,
            place: 'list',
            unread: true,
            mailed: null,
            forget_at: '2026-04-01T00:00:00.000Z',
          },
        })
        await database.collection(countsCollection).put({ id: userId, user_id: userId, listed: 1, unread: 1 })
        await database.collection(preferencesCollection).put({ id: userId, user_id: userId, kinds: { 'task.failed': { mail: true } } })
      },
    }
  },
})

describeSchedulerJob({
  name: 'of notifications',
  async create() {
    const opened = await openPlugin()
    const [job] = opened.host.contributed(schedulerJobs)
    if (!job) throw new Error('The plugin contributed no job.')
    return job
  },
})
