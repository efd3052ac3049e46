import { join } from 'node:path'
import type { Configuration } from '@agent-service/kernel-core/config'
import type { Deployment } from '@agent-service/sdk/services/deployment'

/** What plugins may know of the installation. */
export const deploymentOf = ({ timeZone, server, scheduler, storage }: Configuration): Deployment => ({
  timezone: timeZone,
  maxConcurrentTasks: server.max_concurrent_tasks,
  pollMs: scheduler.poll_secs * 1_000,
  skillFolders: { bundled: join(storage.shared_config_dir, 'skills'), shared: storage.skills_dir },
  ontologyFolder: storage.ontology_dir,
})
