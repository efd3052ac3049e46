import { type DoctorCheck, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import { lateTasks } from './alarms.js'
import type { TaskParts } from './parts/task-parts.js'

/** So many late tasks are no longer the affair of their owners alone. */
const many = 5

/** Finds whether many tasks are late, in a running service; elsewhere there is nothing to look at. */
export const createLateCheck = (parts: Pick<TaskParts, 'database' | 'clock' | 'limits'> | undefined): DoctorCheck =>
  defineDoctorCheck({
    id: 'feature-tasks',
    title: 'Tasks',
    async run() {
      if (!parts) return { findings: [] }
      const late = await lateTasks(parts)
      const json = { late: late.length }
      if (late.length < many) return { findings: [{ state: 'well', text: 'tasks begin in time' }], json }
      const owners = new Set(late.map(({ user_id }) => user_id)).size
      const text = `${late.length} tasks of ${owners === 1 ? 'one user' : `${owners} users`} are late: no run has begun ${parts.limits.lateMs / 1_000} s after their time or later. More places (server.max_concurrent_tasks) help if tasks_at_work is at its maximum; otherwise the log says why`
      return { findings: [{ state: 'warning', text }], json }
    },
  })
