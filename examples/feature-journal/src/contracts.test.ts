import assert from 'node:assert/strict'
import type { JsonValue } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { type ChatPartPlace, chatParts } from '@agent-service/sdk/contracts/chat-part'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { runsService } from '@agent-service/sdk/services/runs'
import {
  createTestContext,
  describeAgentPromptSection,
  describeChatPart,
  describeHttpRoute,
  describeSchedulerJob,
  describeToolSource,
  describeUserData,
  type HttpRouteExample,
  type MemoryDatabase,
  testPrincipal,
} from '@agent-service/sdk/testing'
import { createFakeRuns } from './fake-runs.test.js'
import plugin from './index.js'
import { createPruning } from './kept-data.js'
import { createNotebookChanges } from './notebook-tools.js'
import { createReflect } from './reflections.js'
import { createRoutes } from './routes.js'
import { type Entry, type Notebook, openJournal } from './store.js'

const day = 86_400_000

/** The plugin in a test context, and its store. */
async function start() {
  const test = createTestContext(plugin, { services: [[runsService, createFakeRuns()]] })
  await test.setup()
  const journal = openJournal(test.services.database, test.services.events)
  const write = (userId: string, text: string, chatId: string | null = null, written_at = test.services.clock.now()) =>
    journal.write({ id: `${userId}-${chatId}-${text}`, user_id: userId, notebook: 'garden', text, chat_id: chatId, written_at })
  const open = (userId: string, name: string) => journal.notebooks.put({ id: `${userId}/${name}`, user_id: userId, name })
  return { test, journal, write, open }
}
const only = <T>([found]: readonly T[]): T => {
  assert.ok(found !== undefined, 'nothing was contributed')
  return found
}

/** What a person has written, with where it stands. */
const textsOf = (database: MemoryDatabase, userId: string): readonly string[] =>
  (database.documents('feature_journal.entries') as readonly Entry[])
    .filter(({ user_id }) => user_id === userId)
    .map(({ notebook, text, chat_id }) => `${notebook}, ${chat_id}: ${text}`)

describeChatPart({
  name: 'of the journal',
  async create() {
    const { test, write } = await start()
    const stored = ({ chatId, userId }: ChatPartPlace): readonly Entry[] =>
      (test.services.database.documents('feature_journal.entries') as readonly Entry[]).filter(
        ({ chat_id, user_id }) => chat_id === chatId && user_id === userId,
      )
    return {
      part: only(test.contributed(chatParts)),
      async fill({ chatId, userId }) {
        for (const text of ['Planted beans', 'It rained']) await write(userId, text, chatId)
      },
      isKept: async (chat) => stored(chat).length > 0,
      async fillMuch({ chatId, userId }) {
        for (let row = 0; row < 250; row += 1) await write(userId, `Row ${row}`, chatId, row)
      },
      state: (chat) =>
        stored(chat)
          .map(({ text, notebook, written_at }) => `${written_at} ${notebook}: ${text}`)
          .toSorted(),
      breakStore: (afterCalls) => test.services.database.failWith(new Error('The disk is gone.'), { afterCalls }),
    }
  },
  badData: ['text', [{ notebook: 'garden', text: 7, written_at: 0 }], [{ text: 'Where?' }]],
})

describeUserData({
  name: 'of the journal',
  async create() {
    const { test, write, open } = await start()
    return {
      data: only(test.contributed(userData)),
      database: test.services.database,
      async fill(userId) {
        for (const text of ['Planted beans', 'It rained']) await write(userId, text)
        for (const name of ['dreams', 'recipes']) await open(userId, name)
      },
      async fillMany(userId) {
        for (let row = 0; row <= 200; row += 1) {
          await write(userId, `Row ${row}`)
          await open(userId, `notebook-${row}`)
        }
      },
      secrets: [],
      restarted: 'not applicable',
    }
  },
})

describeAgentPromptSection({
  name: 'of the journal',
  personal: ['Row 29: beans'],
  async create() {
    const { test, write } = await start()
    for (let index = 0; index < 30; index += 1) await write('user-1', `Row ${index}: ${'beans '.repeat(20)}`)
    return only(test.contributed(agentPromptSections))
  },
  examples: [
    { title: 'a person with a journal', context: { userId: 'user-1' }, check: (text) => assert.match(text, /, garden: Row 29:/) },
    { title: 'a person without one', context: { userId: 'user-2' }, isEmpty: true },
  ],
})

describeToolSource({
  name: 'of notebooks',
  async create() {
    const { test, open } = await start()
    await open('user-1', 'garden')
    const change = async (): Promise<void> => {
      const { status } = await test.request('PUT /api/plugins/feature-journal/notebooks/{name}', { params: { name: 'dreams' } })
      assert.equal(status, 204)
    }
    const state = () => textsOf(test.services.database, 'user-1')
    return { source: only(test.contributed(toolSources)), change, state, close: () => test.dispose() }
  },
  stranger: { userId: 'user-2', agentId: 'agent-2', agentHandle: 'assistant' },
  secrets: [],
  examples: [
    { title: 'an entry', tool: 'write_in_garden', input: { text: 'Planted beans' } },
    { title: 'no entry', tool: 'write_in_garden', input: { text: '' }, isError: true },
  ],
})

describeSchedulerJob({
  name: 'that prunes',
  async create() {
    const { test, journal, write } = await start()
    const { clock, database } = test.services
    for (const text of ['Long ago', 'Longer ago']) await write('user-1', text, null, clock.now() - 3_651 * day)
    await write('user-1', 'Lately', null, clock.now() - 3_649 * day)
    return {
      job: only(test.contributed(schedulerJobs)),
      state: () => database.documents('feature_journal.entries').map(({ id }) => id),
      after: ['user-1-null-Lately'],
      restarted: () => createPruning(journal, clock, 3_650),
    }
  },
})

/** A person with an entry and a notebook, and one without. */
const ada = { ...testPrincipal, userId: 'user-1' }
const eve = { ...testPrincipal, userId: 'user-2', username: 'eve', handle: 'eve' }
const garden = { title: 'the notebook that is there', params: { name: 'garden' }, principal: ada }

const examples: Readonly<Record<string, readonly HttpRouteExample[]>> = {
  featureJournalListEntries: [
    {
      title: 'a journal',
      query: { limit: 50 },
      principal: ada,
      status: 200,
      check: ({ json }) => assert.match(JSON.stringify(json), /"text":"It rained on the beans"/),
    },
    { title: 'an empty journal', query: { limit: 50 }, principal: eve, status: 200 },
  ],
  featureJournalWriteEntry: [{ title: 'an entry', body: { notebook: 'garden', text: 'Planted leeks' }, principal: ada, status: 201 }],
  featureJournalOpenNotebook: [{ ...garden, title: 'another notebook', params: { name: 'dreams' }, status: 204 }],
  featureJournalCloseNotebook: [
    { ...garden, status: 204 },
    { ...garden, title: 'one that is not there', params: { name: 'dreams' }, status: 404, code: 'not_found' },
  ],
  featureJournalReflect: [{ title: 'a day', body: { day: '2026-11-20' } satisfies JsonValue, principal: ada, status: 202 }],
}
for (const [operationId, of] of Object.entries(examples)) {
  describeHttpRoute({
    name: operationId,
    create() {
      const runs = createFakeRuns()
      const { services } = createTestContext(plugin, { services: [[runsService, runs]] })
      const { database, clock, events } = services
      const journal = openJournal(database, events)
      const routes = createRoutes(journal, clock, createNotebookChanges(), createReflect(runs))
      return {
        route: only(routes.filter((route) => route.operationId === operationId)),
        async fill() {
          const entry = { id: 'entry-1', user_id: ada.userId, notebook: 'garden', text: 'It rained on the beans', chat_id: null }
          await journal.write({ ...entry, written_at: clock.now() })
          await journal.notebooks.put({ id: `${ada.userId}/garden`, user_id: ada.userId, name: 'garden' })
        },
        state: () => [
          ...textsOf(database, ada.userId),
          ...(database.documents('feature_journal.notebooks') as readonly Notebook[]).flatMap(({ user_id, name }) =>
            user_id === ada.userId ? [name] : [],
          ),
          ...new Set(runs.requests.flatMap(({ userId, key }) => (userId === ada.userId ? [key] : []))),
        ],
      }
    },
    examples: of,
    stranger: eve,
    withheld: ['beans', 'entry-1'],
    secrets: [],
  })
}
it('has an example of every route', async () => {
  const { test } = await start()
  assert.deepEqual(
    test
      .contributed(httpRoutes)
      .map(({ operationId }) => operationId)
      .sort(),
    Object.keys(examples).sort(),
  )
})
