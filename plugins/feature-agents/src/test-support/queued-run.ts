import { noUsage, type Run } from '../store/runs/run.js'

/** A run as it is stored before anybody drives it. */
export const queuedRun = (id: string, userId = 'u', changes: Partial<Run> = {}): Run => ({
  id,
  user_id: userId,
  chat_id: `chat of ${id}`,
  branch_id: `chat of ${id}`,
  agent_id: 'agent',
  status: 'queued',
  model_group: 'primary',
  failure: null,
  usage: noUsage,
  turns: 0,
  step_count: 0,
  last_step: null,
  epoch: 1,
  driver: null,
  attempts: 1,
  cancel_requested_at: null,
  inbox: [],
  asking: [],
  asking_until: null,
  parent: null,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: null,
  finished_at: null,
  ...changes,
})
