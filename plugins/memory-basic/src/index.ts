import { definePlugin, type Plugin } from '@agent-service/sdk'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { agentsService } from '@agent-service/sdk/services/agents'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { memorySettingsService } from '@agent-service/sdk/services/memory-settings'
import { createBackend } from './create-backend.js'
import { createSearch, searchChangeOf } from './memories/find-memories.js'
import { memoryCollection, userCollection, vectorCollection } from './store/collections.js'
import { openMemoryStore } from './store/memory-store.js'
import { promptListCollection } from './store/prompt-list.js'
import { createMemoryUserData } from './store/user-data.js'
import { createVectors } from './store/vectors.js'

/** Memory of users, agents and spaces as notes that are kept short. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'memory-basic',
    apiVersion: 1,
    description: 'Memory of users, agents and spaces as notes that are kept short.',
    contributes: ['memory.backend', 'user.data'],
    requires: ['memory-settings', 'inference', 'agents', 'chats'],
  },
  collections: [memoryCollection, userCollection, vectorCollection, promptListCollection],
  setup(context) {
    const [database, clock, inference] = [context.use(databaseService), context.use(clockService), context.use(inferenceService)]
    const { log, signal } = context
    const store = openMemoryStore({
      ...{ database, clock, signal },
      onChange: (userId, change) => (change === 'erased' ? search.invalidate(userId) : search.changed(userId, searchChangeOf(change))),
    })
    const search = createSearch(store, { inference, store: createVectors(database), clock, log, signal })
    const backend = createBackend({
      ...{ database, store, search, clock, inference, log },
      ...{ agents: context.use(agentsService), chats: context.use(chatsService), settings: context.use(memorySettingsService) },
    })
    context.contribute(memoryBackends, backend)
    context.contribute(userData, createMemoryUserData(database, backend))
  },
})
export default plugin
