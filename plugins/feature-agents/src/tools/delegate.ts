import { ServiceError, Type } from '@agent-service/sdk'
import type { Tool, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { Database } from '@agent-service/sdk/services/database'
import { type Run, runForbiddenError } from '@agent-service/sdk/services/runs'
import { maxDepth } from '../run-service/start-run.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { type DelegatedRunDependencies, runDelegated } from './delegated-runs.js'
import { toolWords } from './tool-words.js'

/** How long a delegated task may take, in milliseconds. */
const maxMs = 3_600_000

/**
 * Delegates a task to another agent of the same person. A failure there is a result on which the
 * calling agent can act.
 */
export function createDelegateTool(dependencies: DelegatedRunDependencies): Tool {
  return {
    specVersion: 1,
    name: 'delegate',
    title: 'Ask another agent',
    display: toolWords.delegate,
    description:
      'Gives a task to another agent of the same person, waits for it and returns its answer. Use it if another agent is made for the task, or for several independent parts at the same time. The other agent sees nothing of this conversation: write a task that is understandable on its own, with everything that it needs and the form of the answer that you want.',
    parameters: Type.Object({
      agent: Type.String({ minLength: 1, maxLength: 100, description: 'The handle of the agent.' }),
      task: Type.String({ minLength: 1, maxLength: 100_000, description: 'The task, understandable on its own.' }),
    }),
    effect: 'idempotent',
    parallel: true,
    timeoutMs: maxMs,
    supports: { probe: false },
    purpose: ({ agent, task }) => `Ask ${String(agent)}: ${firstWords(String(task))}`,
    async execute(input, context) {
      const agent = await agentFor(dependencies.database, String(input['agent']), context)
      if (typeof agent === 'string') return failed(agent)
      try {
        const { run, text } = await runDelegated(dependencies, agent, String(input['task']), context)
        return resultOf(agent, run, text)
      } catch (error) {
        if (runForbiddenError.isInstance(error))
          return failed(
            `Not done: the policies of this service do not allow you, or an agent that asked you, to delegate to “${agent.handle}”. Tell the person.`,
          )
        // A refusal with a reason on which a model can act.
        if (!ServiceError.isInstance(error) || error.status >= 500 || context.signal.aborted) throw error
        return failed(`Not done: ${error.message}`)
      }
    },
  }
}

/** The agent for the task, or why there is none. */
async function agentFor(database: Database, handle: string, { userId, agentId, depth }: ToolContext): Promise<Agent | string> {
  if (depth >= maxDepth) return `Not done: this task was already delegated ${depth} times. Do it yourself.`
  const agents = database.collection(agentCollection)
  const [caller, agent] = [await agents.get(agentId), await agents.find('by_handle', [userId, handle])]
  if (caller?.user_id !== userId) return 'Not done: the calling agent was deleted.'
  if (!agent?.enabled) return `There is no agent “${handle}”. Available agents: ${await othersOf(database, userId, agentId)}.`
  if (agent.id === agentId) return `Not done: “${handle}” is you. Do it yourself, or name another agent.`
  return agent
}

async function othersOf(database: Database, userId: string, agentId: string): Promise<string> {
  const { items } = await database.collection(agentCollection).query({ index: 'by_user', equals: [userId], limit: 50 })
  const others = items.filter(({ id, enabled }) => enabled && id !== agentId)
  return others.map(({ handle, description }) => (description === '' ? handle : `${handle} (${description})`)).join(', ') || 'none'
}

function resultOf({ name }: Agent, { status, failure }: Run, text: string): ToolResult {
  if (status === 'completed')
    return { content: [{ type: 'text', text: text === '' ? `${name} has finished without a text answer.` : text }] }
  const so = status === 'cancelled' ? 'was stopped' : `failed: ${failure?.message ?? 'its run did not finish.'}`
  return failed(`${name} ${so}${text === '' ? '' : ` Its text until then: ${text}`}`)
}

const failed = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

const firstWords = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
