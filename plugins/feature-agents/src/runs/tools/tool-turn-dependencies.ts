import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Restarts } from '@agent-service/sdk/services/restarts'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import type { AgentTools } from '../../points/sources/agent-tools.js'
import type { ApprovalRequests } from '../approvals/approval-requests.js'
import type { ToolAccess } from '../approvals/tool-access.js'
import type { RunLog } from '../log/run-log.js'
import type { ToolRunner } from './tool-runner.js'

/** The dependencies of a turn of tool calls. */
export interface ToolTurnDependencies {
  readonly database: Database
  readonly events: Events
  readonly accounts: Pick<Accounts, 'get'>
  readonly log: RunLog
  readonly runner: ToolRunner
  readonly access: ToolAccess
  readonly person: ApprovalRequests
  /**
   * The most that the results of one turn may take of the window of a model group, in tokens.
   * Default: as much as can be stored.
   */
  readonly resultRoom?: (modelGroup: string) => number
  /** Refreshes the lists of the agent's tool sources. Default: it has none. */
  readonly agentTools?: Pick<AgentTools, 'refresh'>
  /** Default: none. */
  readonly hooks?: RunHooks
  /** Holds a restart in place back. Default: nothing does. */
  readonly restarts?: Pick<Restarts, 'hold'>
}
