import { defineCollection } from '@agent-service/sdk/services/database'

export const logKinds = ['opened', 'granted', 'changed', 'revoked', 'ended', 'requested', 'vault_tested', 'vault_failed'] as const
export type LogKind = (typeof logKinds)[number]

/** One line of the access log of a user. Has no value and no secret. */
export interface LogEntry {
  /** Ordered by time. */
  readonly id: string
  readonly user_id: string
  readonly at: string
  readonly kind: LogKind
  readonly outcome: 'ok' | 'refused' | 'failed'
  /** The code of the error of what was refused or failed. */
  readonly code: string | null
  readonly agent_id: string | null
  /** What the agent calls the credential by. */
  readonly name: string | null
  /** For people: of the credential, the item or the connection. */
  readonly title: string | null
  readonly vault_id: string | null
  /** What it was opened for. */
  readonly use: 'process' | 'page' | null
  readonly target: string | null
  readonly chat_id: string | null
  readonly run_id: string | null
  readonly call_id: string | null
}

export const logCollection = defineCollection<LogEntry>()({
  name: 'agent_credentials.log',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_agent: { fields: ['user_id', 'agent_id', 'id'] },
    by_name: { fields: ['user_id', 'name', 'id'] },
    by_agent_and_name: { fields: ['user_id', 'agent_id', 'name', 'id'] },
    by_time: { fields: ['at'] },
  },
})
