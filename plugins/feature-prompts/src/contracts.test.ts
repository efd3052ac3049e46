import { createMemoryDatabase, createTestClock, describeSchedulerJob, describeUserData } from '@agent-service/sdk/testing'
import { heldMs } from './common/limits.js'
import { collections, listedKeys, type Prompt, promptCollection, textCollection, timeText, usesCollection } from './store/prompt.js'
import { createPurgeJob } from './store/purge.js'
import { createPromptUserData } from './user-data.js'

const promptOf = (userId: string, command: string, changes: Partial<Prompt> = {}): Prompt => {
  const named = { id: `${userId}-${command}`, user_id: userId, command, shared: 'me' } as const
  const times = { created_at: timeText(0), updated_at: timeText(0), deleted_at: null }
  return { ...named, ...listedKeys(named), ...times, title: 'T', excerpt: 'Text', bytes: 4, version: 1, ...changes }
}
const textOf = ({ id, user_id }: Prompt) => ({ id, user_id, text: 'Text' })

describeUserData({
  name: 'of prompts',
  create() {
    const database = createMemoryDatabase(collections)
    const put = async (prompt: Prompt): Promise<void> => {
      await database.collection(promptCollection).insert(prompt)
      await database.collection(textCollection).insert(textOf(prompt))
    }
    return {
      data: createPromptUserData({ database }),
      database,
      async fill(userId) {
        await put(promptOf(userId, 'first'))
        await database.collection(usesCollection).put({ id: userId, user_id: userId, prompts: 1, bytes: 4, used: {} })
      },
      async fillMany(userId) {
        for (let index = 0; index <= 200; index += 1) await put(promptOf(userId, `many-${index}`))
      },
      secrets: [],
      restarted: 'not applicable',
    }
  },
})

describeSchedulerJob({
  name: 'of prompts',
  async create() {
    const database = createMemoryDatabase(collections)
    const clock = createTestClock()
    const deletedFor = (milliseconds: number) => ({ own_key: null, deleted_at: timeText(clock.now() - milliseconds) })
    const stored = [
      promptOf('user-1', 'kept'),
      promptOf('user-1', 'held', deletedFor(heldMs - 1)),
      promptOf('user-1', 'gone', deletedFor(heldMs + 1)),
      promptOf('user-2', 'gone', deletedFor(2 * heldMs)),
    ]
    for (const prompt of stored) {
      await database.collection(promptCollection).insert(prompt)
      await database.collection(textCollection).insert(textOf(prompt))
    }
    await database.collection(usesCollection).put({ id: 'user-1', user_id: 'user-1', prompts: 3, bytes: 12, used: {} })
    await database.collection(usesCollection).put({ id: 'user-2', user_id: 'user-2', prompts: 1, bytes: 4, used: {} })
    const create = () => createPurgeJob({ database, clock })
    return {
      job: create(),
      restarted: create,
      state: () => [
        database.documents(promptCollection.name).map(({ id }) => id),
        database.documents(textCollection.name).map(({ id }) => id),
        JSON.parse(JSON.stringify(database.documents(usesCollection.name))).map(({ prompts, bytes }: Record<string, number>) => [
          prompts,
          bytes,
        ]),
      ],
      after: [
        ['user-1-kept', 'user-1-held'],
        ['user-1-kept', 'user-1-held'],
        [
          [2, 8],
          [0, 0],
        ],
      ],
    }
  },
})
