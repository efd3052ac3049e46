import { Type, visibleLine } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { answer, reported, textIn } from '../common/calls.js'
import { toolWords } from '../common/tool-words.js'
import { ownProcess } from './own-processes.js'
import { idParameter, type ProcessToolDependencies } from './process-tools.js'
import { stateWords } from './process-words.js'

/** Ends one of the agent's own processes. */
export function createStopProcessTool({ sandbox, clock }: ProcessToolDependencies): Tool {
  return {
    specVersion: 1,
    name: 'stop_process',
    title: 'Stop a process',
    display: toolWords.stop_process,
    description:
      'Ends one of your processes and everything it started: it is asked to end (SIGTERM), and after two seconds it has to (SIGKILL). Stopping one that has ended changes nothing.',
    parameters: Type.Object(idParameter),
    effect: 'idempotent',
    timeoutMs: 60_000,
    supports: { probe: false },
    purpose: ({ id }) => `Stop process ${visibleLine(String(id))}`,
    execute: (input, context) =>
      reported(context, async () => {
        const process = ownProcess(sandbox, textIn(input, 'id') ?? '', context)
        if (process.view().exit !== null) return answer(false, `It had ended before. ${stateWords(process.view(), clock.now())}`)
        await abortable(process.stop(), context.signal)
        return answer(false, stateWords(process.view(), clock.now()))
      }),
  }
}
