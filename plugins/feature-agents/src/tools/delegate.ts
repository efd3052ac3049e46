import { ServiceError, Type } from '@agent-service/sdk'
import type { Tool, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { Database } from '@agent-service/sdk/services/database'
import { type Run, runForbiddenError } from '@agent-service/sdk/services/runs'
import { maxDepth } from '../run-service/start-run.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { type DelegatedRunDependencies, runDelegated } from './delegated-runs.js'

/** How long a delegated task may take, in milliseconds. */
const maxMs = 3_600_000

/** Hands a task to another agent of the same person. What fails there is a result that the calling agent can act on. */
export function createDelegateTool(dependencies: DelegatedRunDependencies): Tool {
  return {
    specVersion: 1,
    name: 'delegate',
    title: 'Ask another agent',
    description:
      'Hands a task to another agent of the same person, waits for it and gives you its answer. Use it where another agent is made for the task, or for several independent parts at the same time. The other agent sees nothing of this conversation: write a task that can be understood on its own, with everything that it needs and what the answer should look like.',
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
          return failed(`Not done: the policies of this service do not let you hand work to “${agent.handle}”. Tell the person.`)
        // What the service refuses for a reason that a model can act on.
        if (!ServiceError.isInstance(error) || error.status >= 500 || context.signal.aborted) throw error
        return failed(`Not done: ${error.message}`)
      }
    },
  }
}

/** The agent that the task goes to, or why it does not. */
async function agentFor(database: Database, handle: string, { userId, agentId, depth }: ToolContext): Promise<Agent | string> {
  if (depth >= maxDepth) return `Not done: this task was handed on ${depth} times already. Do it yourself.`
  const agents = database.collection(agentCollection)
  const [caller, agent] = [await agents.get(agentId), await agents.find('by_handle', [userId, handle])]
  if (caller?.user_id !== userId) return 'Not done: the agent that asks is gone.'
  if (!agent?.enabled) return `There is no agent “${handle}”. There are: ${await othersOf(database, userId, agentId)}.`
  if (agent.id === agentId) return `Not done: “${handle}” is yourself. Do it yourself, or name another agent.`
  return agent
}

async function othersOf(database: Database, userId: string, agentId: string): Promise<string> {
  const { items } = await database.collection(agentCollection).query({ index: 'by_user', equals: [userId], limit: 50 })
  const others = items.filter(({ id, enabled }) => enabled && id !== agentId)
  return others.map(({ handle, description }) => (description === '' ? handle : `${handle} (${description})`)).join(', ') || 'none'
}

function resultOf({ name }: Agent, { status, failure }: Run, text: string): ToolResult {
  if (status === 'completed') return { content: [{ type: 'text', text: text === '' ? `${name} is done and has nothing to say.` : text }] }
  const so = status === 'cancelled' ? 'was stopped' : `failed: ${failure?.message ?? 'its run did not come to an end.'}`
  return failed(`${name} ${so}${text === '' ? '' : ` What it had said by then: ${text}`}`)
}

const failed = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

const firstWords = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
