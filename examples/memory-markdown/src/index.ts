import { definePlugin, Type } from '@agent-service/sdk'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { clockService } from '@agent-service/sdk/services/clock'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createMarkdownMemory } from './create-backend.js'
import { createMemoryFiles } from './memory-file.js'

/** What agents remember, as a Markdown file among the files of each person. */
export default definePlugin({
  manifest: {
    id: 'memory-markdown',
    apiVersion: 1,
    description: 'What agents remember, as a Markdown file among the files of each person.',
    contributes: ['memory.backend'],
    storage: { uses: ['files'] },
    permissions: [{ kind: 'files', targets: ['users/*/files'], reason: 'Keeps Memory/memories.md among the files of each person.' }],
    extends: [{ section: 'memory', place: 'backend', variant: 'markdown', schema: Type.Object({}) }],
  },
  setup(context) {
    const files = createMemoryFiles(context.use(userFilesService), context.use(accountsService))
    context.contribute(memoryBackends, createMarkdownMemory(files, context.use(clockService)))
  },
})
