import { definePlugin, type Plugin } from '@agent-service/sdk'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { clockService } from '@agent-service/sdk/services/clock'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { createKeePassConnector } from './connector.js'
import { keepassJobs } from './keepass-jobs.js'
import { createWorkThreads } from './work-threads.js'

/** KeePass databases as vaults. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'vault-keepass',
    apiVersion: 1,
    description: 'Reads and changes the entries of KeePass databases (KDBX 3.1, 4.0, 4.1).',
    contributes: ['vault.connector'],
  },
  setup(context) {
    const jobs = context.use(quotasService).limit(keepassJobs)
    const clock = context.use(clockService)
    const threads = createWorkThreads()
    context.onDispose(() => threads.close())
    const { connector, clear } = createKeePassConnector({ jobs, threads, now: () => clock.monotonic() })
    context.onDispose(clear)
    context.contribute(vaultConnectors, connector)
  },
})
export default plugin
