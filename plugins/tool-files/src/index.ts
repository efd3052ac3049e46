import { definePlugin, type Plugin } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
import { documentsService } from '@agent-service/sdk/services/documents'
import { policyService } from '@agent-service/sdk/services/policy'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createDeleteFileTool } from './delete-file.js'
import { createEditFileTool } from './edit-file.js'
import { createListFilesTool } from './list-files.js'
import { createMoveFileTool } from './move-file.js'
import { createReadFileTool } from './read-file.js'
import { createSearchFilesTool } from './search-files.js'
import { createWorkspaceCalls } from './workspace-calls.js'
import { createWriteFileTool } from './write-file.js'

/** The files of an agent's workspace as tools. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'tool-files',
    apiVersion: 1,
    description: 'Tools for the files of an agent’s workspace.',
    contributes: ['tool'],
    optional: ['documents'],
    storage: { uses: ['workspaces'] },
    permissions: [
      { kind: 'files', targets: ['users/*/workspaces'], reason: 'Reads and changes the files in the workspace of the calling agent.' },
    ],
  },
  setup(context) {
    const calls = createWorkspaceCalls({ files: context.use(userFilesService), policies: context.use(policyService) })
    for (const tool of [
      createReadFileTool(calls, { documents: context.use(documentsService) }),
      createWriteFileTool(calls),
      createEditFileTool(calls),
      createListFilesTool(calls),
      createSearchFilesTool(calls, { quotas: context.use(quotasService) }),
      createDeleteFileTool(calls),
      createMoveFileTool(calls),
    ])
      context.contribute(tools, tool)
  },
})
export default plugin
