import { type Logger, visibleLine } from '@agent-service/sdk'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool, ToolQuestion } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { callHash } from '../../common/call-hash.js'
import { cutText, wellFormed } from '../../common/well-formed.js'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import { createToolTexts } from '../../points/hooks/tool-texts.js'
import type { AgentTools } from '../../points/sources/agent-tools.js'
import { argumentProblems } from '../../points/sources/foreign-tool.js'
import { hasTool, isOffered } from '../../points/sources/named-tools.js'
import { type Agent, type ApprovalMode, agentCollection } from '../../store/agents/agent.js'
import { type Approval, answerTimeoutMs, approvalCollection, shownArguments, shownPurpose } from '../../store/runs/approval.js'
import { type ApprovalScope, approvalGrantCollection, grantId } from '../../store/runs/approval-grant.js'
import type { PendingCall } from '../log/plan-next.js'
import { createCallScopes } from './call-scopes.js'
import type { CallAccess, CallContext, ToolAccess } from './tool-access.js'
import { createToolPolicies } from './tool-policies.js'

/** The longest option in UTF-16 code units. */
const maxOptionLength = 200
const maxOptions = 20

/**
 * The approval mode of a tool: the agent's mode for it, the agent's mode for all tools, the tool's
 * own mode, or else `first_time` for a tool that is never repeated and `never` for any other.
 */
export function approvalModeOf(agent: Pick<Agent, 'approval'>, tool: Tool): ApprovalMode {
  const own = (name: string): ApprovalMode | undefined => (Object.hasOwn(agent.approval, name) ? agent.approval[name] : undefined)
  return own(tool.name) ?? own('*') ?? tool.approval ?? ((tool.effect ?? 'unsafe') === 'unsafe' ? 'first_time' : 'never')
}

/**
 * Decides by policy and by approval mode. If a policy allows a call only with
 * `context.needs_approval`, a person is asked each time, whatever the mode. A tool's own question
 * counts as asking.
 */
export function createToolAccess(dependencies: {
  readonly policies: PolicyService
  readonly agentTools: Pick<AgentTools, 'list' | 'find'>
  /** Default: none. */
  readonly hooks?: Pick<RunHooks, 'has' | 'mask'>
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
}): ToolAccess {
  const { agentTools, hooks, database, clock, log } = dependencies
  const policies = createToolPolicies(dependencies)
  const grants = database.collection(approvalGrantCollection)
  const approvals = database.collection(approvalCollection)
  const agents = database.collection(agentCollection)

  /** The agent as its person has it by now, one that was deleted without tools; a run may have read it long before. */
  const asOfNow = async (agent: Agent): Promise<Agent> => (await agents.get(agent.id)) ?? { ...agent, tools: [], skills: [] }

  const words = createToolTexts({ log, ...(hooks && { hooks }) })
  const callScopes = createCallScopes({ words })

  const isGranted = async (agent: Agent, tool: string, scopes: readonly ApprovalScope[]): Promise<boolean> =>
    (await Promise.all(scopes.map(({ key }) => grants.get(grantId(agent.id, tool, key))))).some((grant) => grant !== undefined)

  const approvalOf = (
    { run, agent }: CallContext,
    pending: PendingCall,
    call: ToolCallPart,
    asks: Pick<Approval, 'kind' | 'purpose' | 'text' | 'options' | 'scopes'>,
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
      purpose: wellFormed(shownPurpose(asks.purpose)),
      text: wellFormed(shownPurpose(asks.text)),
      call_hash: callHash(call.name, call.arguments),
      scope: null,
      remembers: asks.scopes.length > 0,
      status: 'pending',
      note: null,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + answerTimeoutMs).toISOString(),
      resolved_at: null,
      resolved_by: null,
    }
  }

  /** Whether the answer of the person was given to this very call. */
  const isAnswered = async ({ call_id }: PendingCall, call: ToolCallPart): Promise<boolean> =>
    (await approvals.get(call_id))?.call_hash === callHash(call.name, call.arguments)

  const decideQuestion = async (
    place: CallContext,
    pending: PendingCall,
    call: ToolCallPart,
    tool: Contributed<Tool>,
    { question, options = [] }: ToolQuestion,
    signal: AbortSignal,
  ): Promise<CallAccess> => {
    if (!(await policies.allows(place.agent, tool, { needsApproval: true, signal }))) return refused(call)
    const choices = options.slice(0, maxOptions).map((option) => wellFormed(cutText(option, maxOptionLength)))
    const asks = { kind: 'question', purpose: question, text: question, options: choices, scopes: [] } as const
    return { kind: 'ask', approval: approvalOf(place, pending, call, asks) }
  }

  const decideApproval = async (
    place: CallContext,
    pending: PendingCall,
    call: ToolCallPart,
    tool: Contributed<Tool>,
    signal: AbortSignal,
  ): Promise<CallAccess> => {
    const { agent } = place
    const mode = approvalModeOf(agent, tool.value)
    const scopes = mode === 'first_time' ? await callScopes.of(tool.value, call, place, signal) : []
    const asksByMode = mode === 'always' || (mode === 'first_time' && !(await isGranted(agent, call.name, scopes)))
    if (!asksByMode && (await policies.allows(agent, tool, { needsApproval: false, signal }))) return { kind: 'allowed' }
    if (!(await policies.allows(agent, tool, { needsApproval: true, signal }))) return refused(call)
    const remembers = asksByMode && (await policies.allows(agent, tool, { needsApproval: false, signal }))
    const purpose = visibleLine(await words.purpose(tool.value, call, place, signal))
    const text = await words.wholeCall(tool.value, purpose, call, place, signal)
    const asks = { kind: 'approval', purpose, text, options: [], scopes: remembers ? scopes : [] } as const
    return { kind: 'ask', approval: approvalOf(place, pending, call, asks) }
  }

  return {
    async permitted(agent, names, { signal }) {
      const wanted = new Set(names)
      const there = agentTools.list(agent).filter(({ key, value }) => wanted.has(key) && isOffered(value, agent))
      const usable = new Set(
        await policies.usable(
          agent,
          there.map((tool) => ({ tool, asksAlways: approvalModeOf(agent, tool.value) === 'always' })),
          signal,
        ),
      )
      return names.filter((name) => usable.has(name))
    },

    async decide({ run, agent }, pending, call, { signal }) {
      const current = await asOfNow(agent)
      const place = { run, agent: { ...agent, approval: current.approval } }
      const tool = agentTools.find(place.agent, call.name)
      // The runner gives the reason for a call that cannot run anyway.
      if (!tool || !isOffered(tool.value, place.agent) || !hasTool(place.agent, call.name) || call.invalid_arguments !== undefined)
        return { kind: 'allowed' }
      if (!hasTool(current, call.name)) return taken(call)
      if (argumentProblems(tool.value, call.arguments).length > 0) return { kind: 'allowed' }
      const asked = await words.question(tool.value, call, place, signal)
      if ('refused' in asked) return { kind: 'refused', reason: asked.refused }
      const { question } = asked
      return question ? decideQuestion(place, pending, call, tool, question, signal) : decideApproval(place, pending, call, tool, signal)
    },

    async confirm({ agent }, pending, call, { signal }) {
      const tool = agentTools.find(agent, call.name)
      if (!tool) return { kind: 'allowed' }
      if (hasTool(agent, call.name) && !hasTool(await asOfNow(agent), call.name)) return taken(call)
      const needsApproval = pending.answer !== undefined
      if (needsApproval && !(await isAnswered(pending, call))) return changed(call)
      return (await policies.allows(agent, tool, { needsApproval, signal })) ? { kind: 'allowed' } : refused(call)
    },
  }
}

const changed = ({ name }: ToolCallPart): Extract<CallAccess, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason: `Not run: this call of “${name}” is not the one that the person was asked about. Make it again if it is still needed; the person is then asked again.`,
})

const taken = ({ name }: ToolCallPart): Extract<CallAccess, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason: `Not run: you may no longer use “${name}”; the person has taken it from you, or deleted you, meanwhile. Do not call it again; tell the person.`,
})

const refused = ({ name }: ToolCallPart): Extract<CallAccess, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason: `Not run: the policies of this service do not allow you to use “${name}”. Do not call it again; tell the person.`,
})
