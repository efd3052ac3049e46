import {
  createFakeUrls,
  createMemoryDatabase,
  createTestClock,
  describeDoctorCheck,
  describeSchedulerJob,
  describeUserData,
} from '@agent-service/sdk/testing'
import type { MailSettings } from './common/mail-section.js'
import { createMailCheck } from './doctor.js'
import { outboxCollection } from './store/stored-mail.js'
import { createMailUserData, createPruneJob } from './user-data.js'

describeUserData({
  name: 'of e-mail',
  create() {
    const database = createMemoryDatabase([outboxCollection])
    return {
      data: createMailUserData(database),
      database,
      async fill(userId) {
        for (const key of ['one', 'two'])
          await database.collection(outboxCollection).insert({
            ...{
              id: `${userId}-${key}`,
              user_id: userId,
              key,
              purpose: 'message',
              to: null,
              message_id: `${key}@example.org`,
              subject: key,
              text: 'Hello.',
            },
            ...{ link: null, footer: null, unsubscribe_path: null, state: 'pending', attempts: 0, claim: null, waiting: true, error: null },
            ...{ due_at: '2026-01-01T00:00:00.000Z', created_at: '2026-01-01T00:00:00.000Z', ended_at: null },
          })
      },
    }
  },
})

describeSchedulerJob({
  name: 'of e-mail',
  create: () => createPruneJob({ database: createMemoryDatabase([outboxCollection]), clock: createTestClock() }),
})

const password = 'a password of the mail server'

describeDoctorCheck({
  name: 'of e-mail, without a server',
  secrets: [],
  create: () => createMailCheck({} as MailSettings, createFakeUrls()),
})
describeDoctorCheck({
  name: 'of e-mail, with a server that is not there',
  secrets: [password],
  create: () =>
    createMailCheck(
      { host: '127.0.0.1', port: 1, from: 'agents@example.org', security: 'none', user: 'ada', password } as MailSettings,
      createFakeUrls(),
    ),
})
