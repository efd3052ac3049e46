import type { BackupSummary } from '@agent-service/sdk/services/backups'
import type { StoredSummary } from './layout.js'

/** What a backup says about itself, as plugins see it. */
export const summaryOf = (stored: StoredSummary, bytes: number): BackupSummary => ({
  ...{ createdAt: stored.created_at, serviceVersion: stored.service_version, driver: stored.driver, bytes, files: stored.files },
  tooSparse: stored.too_sparse ?? 0,
  unreadable: stored.unreadable ?? 0,
  noted: stored.noted ?? [],
  service: stored.service ?? null,
  ...{ changing: stored.changing, leftOut: stored.left_out, secretsLeftOut: stored.secrets_left_out },
})
