import { type MemoryBackend, type MemoryRecord, memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import type { ChatMessage } from '@agent-service/sdk/services/chats'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { type MemorySettings, memorySettingsService } from '@agent-service/sdk/services/memory-settings'
import { resourcesService } from '@agent-service/sdk/services/resources'
import {
  createFakeChats,
  createMemoryDatabase,
  createTestClock,
  createTestContext,
  type FakeChats,
  type PluginTestContext,
  type TestClock,
} from '@agent-service/sdk/testing'
import plugin from '../index.js'
import { collections } from '../store/collections.js'
import { repositoryResources } from './repository-resources.js'
import { createScriptedModel, type Lore, type ScriptedModel } from './scripted-model.js'
import { defaultSettings } from './test-settings.js'

/** What outlives a process. */
export interface TestWorld {
  readonly database: Database
  readonly chats: FakeChats
  readonly clock: TestClock
}

export const createWorld = (): TestWorld => ({
  database: createMemoryDatabase(collections),
  chats: createFakeChats(),
  clock: createTestClock(),
})

/** The plugin with what it uses in memory. */
export interface OpenedPkm extends TestWorld {
  readonly host: PluginTestContext
  readonly backend: MemoryBackend
  readonly model: ScriptedModel
  /** Sweeps until nothing is left to do at once. */
  sweep(): Promise<void>
  /** Puts a chat in which the person says these things, and lets it rest. */
  chat(chatId: string, texts: readonly (string | Partial<ChatMessage>)[], options?: ChatOptions): Promise<void>
  texts(): Promise<readonly string[]>
  export(userId?: string): Promise<readonly MemoryRecord[]>
  dispose(): Promise<void>
}

export interface ChatOptions {
  readonly userId?: string
  readonly hidden?: boolean
  readonly active?: boolean
  readonly spaceId?: string | null
  /** Whether the change is reported. Default true. */
  readonly reported?: boolean
}

export const ada = 'user-1'
export const none: { readonly signal: AbortSignal } = { signal: new AbortController().signal }

export async function openPkm(
  lore: readonly Lore[] = [],
  options: {
    readonly settings?: Partial<MemorySettings>
    readonly world?: TestWorld
    readonly ontologyFolder?: string
    readonly model?: ScriptedModel
  } = {},
): Promise<OpenedPkm> {
  const world = options.world ?? createWorld()
  const { database, chats, clock } = world
  const model = options.model ?? createScriptedModel(lore)
  const host = createTestContext(plugin, {
    services: [
      [databaseService, database],
      [chatsService, chats],
      [clockService, clock],
      [inferenceService, model],
      [memorySettingsService, { ...defaultSettings, ...options.settings }],
      [resourcesService, repositoryResources],
      [
        deploymentService,
        {
          ...{ timezone: 'UTC', maxConcurrentTasks: 10, pollMs: 60_000, ontologyFolder: options.ontologyFolder ?? '/nowhere/ontology' },
          skillFolders: { bundled: '/nowhere', shared: '/nowhere' },
        },
      ],
    ],
  })
  await host.setup()
  const [backend] = host.contributed(memoryBackends)
  if (!backend?.sweep) throw new Error('The plugin contributed no back end that sweeps.')
  const opened: OpenedPkm = {
    ...{ ...world, host, backend, model },
    async sweep() {
      for (let more = true; more; ) more = (await backend.sweep?.(none))?.more ?? false
    },
    async chat(chatId, texts, { userId = ada, hidden = false, active = false, spaceId = null, reported = true } = {}) {
      const before = await chats.messages({ userId, chatId, from: 0, limit: 500 }, none)
      const start = before?.items.length ?? 0
      const items = texts.map((text, index): ChatMessage => {
        const sequence = start + index
        const at = new Date(clock.now() + sequence * 1_000).toISOString()
        const message = { id: `${chatId}-${sequence}`, sequence, role: 'person' as const, text: '', tools: [], at }
        return typeof text === 'string' ? { ...message, text } : { ...message, ...text }
      })
      const all = [...(before?.items ?? []), ...items]
      const updatedAt = all.at(-1)?.at ?? new Date(clock.now()).toISOString()
      chats.put(userId, chatId, {
        title: null,
        agentId: 'agent-1',
        spaceId,
        hidden,
        active,
        updatedAt,
        guests: false,
        messageCount: all.length,
        items: all,
      })
      if (reported) await backend.chatChanged({ userId, chatId, agentId: 'agent-1', spaceId, reason: 'messages', at: updatedAt }, none)
      await clock.advance(3_600_000)
    },
    texts: async () => (await backend.list({ userId: ada }, { limit: 200, ...none })).items.map(({ text }) => text),
    async export(userId = ada) {
      const records: MemoryRecord[] = []
      for await (const record of backend.export(userId, none)) records.push(record)
      return records
    },
    dispose: () => host.dispose(),
  }
  return opened
}
