import type { Logger } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { Runs } from '@agent-service/sdk/services/runs'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import type { ShareLinks } from '@agent-service/sdk/services/share-links'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { ChannelMetrics } from '../common/metrics.js'
import type { RetrySettings } from '../common/retry-settings.js'

/** What everything that moves messages depends on. */
export interface ChannelParts {
  readonly database: Database
  readonly clock: Clock
  readonly events: Pick<Events, 'record'>
  readonly accounts: Pick<Accounts, 'get' | 'admins'>
  readonly agents: Pick<Agents, 'details'>
  readonly runs: Pick<Runs, 'start' | 'get' | 'list' | 'watch' | 'cancel' | 'answer'>
  readonly files: Pick<UserFiles, 'folder'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  /** Absent: long answers are sent whole, and files that a channel does not take are not sent. */
  readonly shareLinks: Pick<ShareLinks, 'shareText' | 'shareFile'> | undefined
  /** Absent: the plugin that keeps them does not run. */
  readonly notifications: Pick<Notifications, 'send'> | undefined
  readonly contributions: Pick<Contributions, 'list' | 'acquire' | 'onChange' | 'settled'>
  readonly sealedFields: SealedFields
  readonly secrets: Pick<Secrets, 'protect'>
  readonly urls: Pick<Urls, 'external'>
  readonly audit: Pick<Audit, 'record'>
  readonly metrics: ChannelMetrics
  readonly retry: RetrySettings
  readonly log: Logger
}
