import { ServiceError, Type } from '@agent-service/sdk'
import type { Tool, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { agentEntity } from '../runs/approvals/tool-policies.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import type { Run } from '../store/runs/run.js'
import type { DelegatedRuns } from './delegated-runs.js'

/** How many runs may have begun one another. */
export const maximumDepth = 3
/** How long a delegated task may take, in milliseconds. */
const longestMs = 3_600_000

/** The name that delegated tasks are found by in the steps of a run. */
export const delegateName = 'delegate'

/** Hands a task to another agent of the same person. What fails there is a result that the calling agent can act on. */
export function createDelegateTool(dependencies: {
  readonly database: Database
  readonly policies: PolicyService
  readonly delegatedRuns: DelegatedRuns
}): Tool {
  const { database, policies, delegatedRuns } = dependencies
  const agents = database.collection(agentCollection)

  /** The agent that the task goes to, or why it does not. */
  const agentFor = async (handle: string, { userId, agentId, depth, signal }: ToolContext): Promise<Agent | string> => {
    if (depth >= maximumDepth) return `Not done: this task was handed on ${depth} times already. Do it yourself.`
    const [caller, agent] = [await agents.get(agentId), await agents.find('by_handle', [userId, handle])]
    if (caller?.user_id !== userId) return 'Not done: the agent that asks is gone.'
    if (!agent?.enabled) return `There is no agent “${handle}”. There are: ${await othersOf(userId, agentId)}.`
    if (agent.id === agentId) return `Not done: “${handle}” is yourself. Do it yourself, or name another agent.`
    const request = { principal: agentEntity(caller), action: 'delegate', resource: agentEntity(agent), context: { depth: depth + 1 } }
    if ((await policies.isAuthorized(request, { signal })).allowed) return agent
    return `Not done: the policies of this service do not let you hand work to “${handle}”. Tell the person.`
  }

  const othersOf = async (userId: string, agentId: string): Promise<string> => {
    const { items } = await agents.query({ index: 'by_user', equals: [userId], limit: 50 })
    const others = items.filter(({ id, enabled }) => enabled && id !== agentId)
    return others.map(({ handle, description }) => (description === '' ? handle : `${handle} (${description})`)).join(', ') || 'none'
  }

  return {
    specVersion: 1,
    name: delegateName,
    title: 'Ask another agent',
    description:
      'Hands a task to another agent of the same person, waits for it and gives you its answer. Use it where another agent is made for the task, or for several independent parts at the same time. The other agent sees nothing of this conversation: write a task that can be understood on its own, with everything that it needs and what the answer should look like.',
    parameters: Type.Object({
      agent: Type.String({ minLength: 1, maxLength: 100, description: 'The handle of the agent.' }),
      task: Type.String({ minLength: 1, maxLength: 100_000, description: 'The task, understandable on its own.' }),
    }),
    effect: 'idempotent',
    parallel: true,
    timeoutMs: longestMs,
    supports: { probe: false },
    purpose: ({ agent, task }) => `Ask ${String(agent)}: ${firstWords(String(task))}`,
    async execute(input, context) {
      const agent = await agentFor(String(input['agent']), context)
      if (typeof agent === 'string') return failed(agent)
      try {
        const { run, text } = await delegatedRuns.run(agent, String(input['task']), context)
        return resultOf(agent, run, text)
      } catch (error) {
        // What the service refuses for a reason that a model can act on.
        if (!ServiceError.isInstance(error) || error.status >= 500 || context.signal.aborted) throw error
        return failed(`Not done: ${error.message}`)
      }
    },
  }
}

function resultOf({ name }: Agent, { status, failure }: Run, text: string): ToolResult {
  if (status === 'completed') return { content: [{ type: 'text', text: text === '' ? `${name} is done and has nothing to say.` : text }] }
  const so = status === 'cancelled' ? 'was stopped' : `failed: ${failure?.message ?? 'its run did not come to an end.'}`
  return failed(`${name} ${so}${text === '' ? '' : ` What it had said by then: ${text}`}`)
}

const failed = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

const firstWords = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
