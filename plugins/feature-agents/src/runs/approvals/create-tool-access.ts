import { type Logger, validate } from '@agent-service/sdk'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type Tool, type ToolQuestion, tools } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { cutText, wellFormed } from '../../common/well-formed.js'
import type { Agent, ApprovalMode } from '../../store/agents/agent.js'
import { type Approval, answerWithinMs, approvalGrantCollection, grantId, shownArguments } from '../../store/runs/approval.js'
import type { PendingCall } from '../log/plan-next.js'
import { isWithheld } from './memory-tools.js'
import type { CallAccess, CallPlace, ToolAccess } from './tool-access.js'
import { createToolPolicies } from './tool-policies.js'

/** The longest purpose or question, and the longest choice, in UTF-16 code units. */
const maximumPurposeLength = 4_000
const maximumOptionLength = 200
const maximumOptions = 20

/**
 * When a person is asked about a call of this tool: what the agent says of it, what the agent says of all tools, what the tool says, and else
 * `first_time` for one that is never repeated.
 */
export function approvalModeOf(agent: Pick<Agent, 'approval'>, tool: Tool): ApprovalMode {
  const own = (name: string): ApprovalMode | undefined => (Object.hasOwn(agent.approval, name) ? agent.approval[name] : undefined)
  return own(tool.name) ?? own('*') ?? tool.approval ?? ((tool.effect ?? 'unsafe') === 'unsafe' ? 'first_time' : 'never')
}

/**
 * Decides by policy and by approval mode. A policy that allows a call only with `context.needs_approval` makes a person be asked, each time, whatever
 * the mode. A tool's own question counts as asking. The tools of memory are withheld from an agent whose memory is off.
 */
export function createToolAccess(dependencies: {
  readonly policies: PolicyService
  readonly contributions: Contributions
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
}): ToolAccess {
  const { contributions, database, clock, log } = dependencies
  const policies = createToolPolicies(dependencies)
  const grants = database.collection(approvalGrantCollection)

  const find = (name: string): Contributed<Tool> | undefined => contributions.list(tools).find(({ key }) => key === name)

  const purposeOf = (tool: Tool, call: ToolCallPart): string => {
    try {
      return tool.purpose?.(call.arguments) ?? tool.title
    } catch (error) {
      log.warn('A tool failed to describe its call.', { tool: tool.name, error })
      return tool.title
    }
  }

  const approvalOf = (
    { run, agent }: CallPlace,
    pending: PendingCall,
    call: ToolCallPart,
    asks: Pick<Approval, 'kind' | 'purpose' | 'options' | 'remembers'>,
  ): Approval => {
    const now = clock.now()
    return {
      id: pending.call_id,
      user_id: run.user_id,
      chat_id: run.chat_id,
      run_id: run.id,
      agent_id: agent.id,
      message_id: pending.message_id,
      tool: call.name,
      ...shownArguments(call.arguments),
      ...asks,
      purpose: wellFormed(cutText(asks.purpose, maximumPurposeLength)),
      status: 'pending',
      note: null,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + answerWithinMs).toISOString(),
      resolved_at: null,
      resolved_by: null,
    }
  }

  const decideQuestion = async (
    place: CallPlace,
    pending: PendingCall,
    call: ToolCallPart,
    tool: Contributed<Tool>,
    { question, options = [] }: ToolQuestion,
    signal: AbortSignal,
  ): Promise<CallAccess> => {
    if (!(await policies.allows(place.agent, tool, { needsApproval: true, signal }))) return refused(call)
    const choices = options.slice(0, maximumOptions).map((option) => wellFormed(cutText(option, maximumOptionLength)))
    const asks = { kind: 'question', purpose: question, options: choices, remembers: false } as const
    return { kind: 'ask', approval: approvalOf(place, pending, call, asks) }
  }

  const decideApproval = async (
    place: CallPlace,
    pending: PendingCall,
    call: ToolCallPart,
    tool: Contributed<Tool>,
    signal: AbortSignal,
  ): Promise<CallAccess> => {
    const { agent } = place
    const mode = approvalModeOf(agent, tool.value)
    const asksByMode = mode === 'always' || (mode === 'first_time' && !(await grants.get(grantId(agent.id, call.name))))
    if (!asksByMode && (await policies.allows(agent, tool, { needsApproval: false, signal }))) return { kind: 'allowed' }
    if (!(await policies.allows(agent, tool, { needsApproval: true, signal }))) return refused(call)
    const remembers = asksByMode && mode === 'first_time' && (await policies.allows(agent, tool, { needsApproval: false, signal }))
    const asks = { kind: 'approval', purpose: purposeOf(tool.value, call), options: [], remembers } as const
    return { kind: 'ask', approval: approvalOf(place, pending, call, asks) }
  }

  return {
    async permitted(agent, names, { signal }) {
      const wanted = new Set(names.filter((name) => !isWithheld(agent, name)))
      const there = contributions.list(tools).filter(({ key }) => wanted.has(key))
      const usable = new Set(
        await policies.usable(
          agent,
          there.map((tool) => ({ tool, asksAlways: approvalModeOf(agent, tool.value) === 'always' })),
          signal,
        ),
      )
      return names.filter((name) => usable.has(name))
    },

    async decide(place, pending, call, { signal }) {
      const tool = find(call.name)
      // What cannot run anyway gets its reason from the runner.
      if (!tool || !place.agent.tools.includes(call.name) || call.invalid_arguments !== undefined) return { kind: 'allowed' }
      if (validate(tool.value.parameters, call.arguments).length > 0) return { kind: 'allowed' }
      if (isWithheld(place.agent, call.name)) return withheld(call)
      let question: ToolQuestion | undefined
      try {
        question = tool.value.asks?.(call.arguments)
      } catch (error) {
        log.error('A tool failed to say what it has to ask.', { tool: call.name, plugin: tool.pluginId, call_id: call.call_id, error })
        return { kind: 'refused', reason: 'The tool failed. The cause is in the log of the service.' }
      }
      return question ? decideQuestion(place, pending, call, tool, question, signal) : decideApproval(place, pending, call, tool, signal)
    },

    async confirm({ agent }, pending, call, { signal }) {
      const tool = find(call.name)
      if (!tool) return { kind: 'allowed' }
      if (isWithheld(agent, call.name)) return withheld(call)
      const needsApproval = pending.answer !== undefined
      return (await policies.allows(agent, tool, { needsApproval, signal })) ? { kind: 'allowed' } : refused(call)
    },
  }
}

const withheld = ({ name }: ToolCallPart): Extract<CallAccess, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason: `Not run: your memory is turned off, so that there is no “${name}”. Go on without it; tell the person if they asked for it.`,
})

const refused = ({ name }: ToolCallPart): Extract<CallAccess, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason: `Not run: the policies of this service do not let you use “${name}”. Do not call it again; tell the person.`,
})
