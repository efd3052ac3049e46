import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { answer, reported } from '../common/calls.js'
import { toolWords } from '../common/tool-words.js'
import { ownProcesses } from './own-processes.js'
import type { ProcessToolDependencies } from './process-tools.js'
import { lineOf } from './process-words.js'

const maxListed = 50

/** Lists the agent's own processes. */
export function createListProcessesTool({ sandbox, clock }: ProcessToolDependencies): Tool {
  return {
    specVersion: 1,
    name: 'list_processes',
    title: 'List processes',
    display: toolWords.list_processes,
    description:
      'Lists your processes that run, and those that ended within the last hour, the newest first: id, command, state, amount of output.',
    parameters: Type.Object({
      all: Type.Optional(Type.Boolean({ description: 'Those that have ended too. Default: only those that run.' })),
    }),
    effect: 'read',
    timeoutMs: 10_000,
    supports: { probe: false },
    execute: ({ all = false }, context) =>
      reported(context, async () => {
        const views = ownProcesses(sandbox, context).filter(({ exit }) => all === true || exit === null)
        if (views.length === 0) return answer(false, all === true ? 'There are no processes.' : 'No process is running.')
        const lines = views.slice(0, maxListed).map((view) => lineOf(view, clock.now()))
        return answer(false, lines.join('\n'), views.length > maxListed ? `${views.length - maxListed} older ones are not listed.` : '')
      }),
  }
}
