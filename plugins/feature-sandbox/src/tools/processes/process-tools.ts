import { Type } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import type { ProcessMasks } from '../../credentials/process-masks.js'

/** What the tools for processes work with. */
export interface ProcessToolDependencies {
  readonly sandbox: Pick<Sandbox, 'list' | 'find'>
  readonly clock: Pick<Clock, 'now'>
}

/** What those work with that read output. */
export interface OutputToolDependencies extends ProcessToolDependencies {
  readonly masks: ProcessMasks
}

/** Which process. */
export const idParameter = {
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The id of the process, as the call that started it or list_processes gave it.',
  }),
}

/** How long to wait. */
export const waitParameter = {
  wait_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 60, description: 'How long to wait for new output, or for its end, if there is none yet.' }),
  ),
}
