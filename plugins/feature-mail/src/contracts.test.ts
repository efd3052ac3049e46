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
import { outboxCollection, type StoredMail } from './store/stored-mail.js'
import { createMailUserData, createPruneJob } from './user-data.js'

/** An e-mail that waits; changes say what became of it. */
const mailOf = (userId: string, key: string, changes: Partial<StoredMail> = {}): StoredMail => ({
  id: `${userId}-${key}`,
  user_id: userId,
  key,
  purpose: 'message',
  to: null,
  message_id: `${key}@example.org`,
  subject: key,
  text: 'Hello.',
  link: null,
  footer: null,
  unsubscribe_path: null,
  state: 'pending',
  attempts: 0,
  claim: null,
  waiting: true,
  error: null,
  due_at: '2026-01-01T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
  ...changes,
})

describeUserData({
  name: 'of e-mail',
  create() {
    const database = createMemoryDatabase([outboxCollection])
    return {
      data: createMailUserData(database),
      database,
      async fill(userId) {
        for (const key of ['one', 'two']) await database.collection(outboxCollection).insert(mailOf(userId, key))
      },
      fillMany: (userId) =>
        database.transaction(async (transaction) => {
          for (let index = 0; index <= 200; index += 1) transaction.insert(outboxCollection, mailOf(userId, `number ${index}`))
        }),
      secrets: [],
      restarted: 'not applicable',
    }
  },
})

describeSchedulerJob({
  name: 'of e-mail',
  async create() {
    const database = createMemoryDatabase([outboxCollection])
    const clock = createTestClock()
    const endedDaysAgo = (key: string, days: number): StoredMail =>
      mailOf('user-1', key, {
        state: 'sent',
        waiting: null,
        due_at: null,
        ended_at: new Date(clock.now() - days * 86_400_000).toISOString(),
      })
    const old = [endedDaysAgo('old', 36), endedDaysAgo('older', 37)]
    await database.transaction(async (transaction) => {
      for (const mail of [...old, endedDaysAgo('late', 34), mailOf('user-1', 'waiting')]) transaction.insert(outboxCollection, mail)
    })
    const create = () => createPruneJob({ database, clock })
    const state = () => database.documents(outboxCollection.name).map(({ id }) => id)
    return { job: create(), state, after: ['user-1-late', 'user-1-waiting'], restarted: create }
  },
})

const password = 'a password of the mail server'

const createLostCheck = () =>
  createMailCheck(
    { host: '127.0.0.1', port: 1, from: 'agents@example.org', security: 'none', user: 'ada', password } as MailSettings,
    createFakeUrls(),
  )

describeDoctorCheck({
  name: 'of e-mail, without a server',
  create: () => createMailCheck({} as MailSettings, createFakeUrls()),
  broken: 'not applicable',
  secrets: 'not applicable',
  state: 'not applicable',
})
describeDoctorCheck({
  name: 'of e-mail, with a server that is not there',
  create: createLostCheck,
  broken: createLostCheck,
  secrets: [password],
  state: 'not applicable',
})
