/** `npm start`: prepares the clone, then runs the service until it ends. */
import path from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { runScript } from './lib/failure.mjs'
import { runService } from './lib/run-service.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

await runScript(
  async () => {
    await bootstrap({ scope: 'run' })
    return runService([path.join(repositoryRoot, 'kernel/cli/bin/agent-service.mjs'), 'start', ...process.argv.slice(2)])
  },
  // The service drains as long as it needs.
  { forwardsSignals: true },
)
