import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * A place that an execution has: `all/<number>` of those of the deployment, `agent/<id>/<number>`
 * of those of an agent. Nobody else can have it until it is deleted, also after a crash, so the
 * documents are the count of what is at work.
 */
export interface Lease {
  readonly id: string
  readonly kind: 'all' | 'agent'
  readonly execution_id: string
  readonly user_id: string
  readonly agent_id: string
  readonly taken_at: string
}

export const leaseCollection = defineCollection<Lease>()({
  name: 'tasks.leases',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_kind: { fields: ['kind', 'id'] } },
})

/** How many tasks that have not ended a user has. */
export interface OpenTasks {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  readonly count: number
}

export const openTasksCollection = defineCollection<OpenTasks>()({
  name: 'tasks.open',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})
