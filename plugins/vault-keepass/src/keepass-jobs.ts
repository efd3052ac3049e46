import type { LimitDefinition } from '@agent-service/sdk/services/quotas'

/** Two files are open at once, one of each connection; each has a thread with its memory. */
export const keepassJobs: LimitDefinition = {
  name: 'vault-keepass-jobs',
  counts: 'calls of KeePass databases',
  maxPerHolder: 1,
  maxTotal: 2,
  waiting: { maxPerHolder: 16, maxTotal: 256, maxMs: 60_000 },
}
