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
}
