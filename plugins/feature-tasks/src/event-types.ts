import { type EventTypeDeclaration, namedObject, Type } from '@agent-service/sdk'
import { executionStates } from './store/execution.js'
import { taskKinds, taskStatuses } from './store/task.js'
import { failureSchema } from './tasks/task-views.js'

const id = Type.String({ minLength: 1 })
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)))

/** Every type of event that tasks publish. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'task.updated': {
    description: 'A task was created or changed, or one of its executions changed its state.',
    schema: Type.Object(
      {
        task_id: id,
        kind: oneOf(taskKinds),
        title: Type.String(),
        status: Type.Union([oneOf(taskStatuses), Type.Literal('deleted')]),
        next_at: Type.Union([Type.String(), Type.Null()]),
        execution: Type.Union([
          namedObject('TaskExecutionState', {
            id,
            state: oneOf(executionStates),
            failure: failureSchema,
            waiting_for: Type.Union([Type.String(), Type.Null()]),
          }),
          Type.Null(),
        ]),
        run_id: Type.Optional(id),
        chat_id: Type.Optional(id),
      },
      { additionalProperties: true },
    ),
  },
  'notification.created': {
    description: 'Something that its owner should know: a reminder, the end of a task, the report of a heartbeat.',
    schema: Type.Object(
      {
        notification_id: id,
        reason: oneOf(['reminder', 'task_completed', 'task_failed', 'task_waiting', 'heartbeat']),
        title: Type.String(),
        text: Type.String(),
        task_id: id,
        execution_id: Type.Union([id, Type.Null()]),
        run_id: Type.Optional(id),
        chat_id: Type.Optional(id),
      },
      { additionalProperties: true },
    ),
  },
}
