import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { unsupportedParameterError } from '../openai-error.js'
import { checkFields, type FieldRules, only } from './field-rules.js'
import type { IgnoredFields } from './ignored-fields.js'

const decided = 'is not supported for agents: an agent has its own model and tools. Remove it, or use a model group.'

/** Members that an agent decides itself, with the values that ask for nothing. */
const agentFields: FieldRules = {
  logprobs: only([false], decided),
  top_logprobs: only([0], decided),
  logit_bias: only([{}], decided),
  parallel_tool_calls: only([true], decided),
}

/**
 * Refuses what a run of an agent could not carry to its model. `at` is the member with the messages.
 * @throws `unsupported_parameter`.
 */
export function refuseForAgents(
  body: Readonly<Record<string, unknown>>,
  messages: readonly ModelMessage[],
  { at, ignored }: { readonly at: string; readonly ignored: IgnoredFields },
): void {
  const decidedByAgent = Object.entries(body).filter(([name]) => Object.hasOwn(agentFields, name))
  checkFields(Object.fromEntries(decidedByAgent), agentFields, '', ignored)
  for (const [index, message] of messages.entries()) {
    const refuse = (member: string): Error =>
      unsupportedParameterError.create({
        param: `${at}[${index}].${member}`,
        reason: 'is not supported for agents: a chat has one person, and images are sent as the agent’s model takes them. Remove it.',
      })
    if ('name' in message && message.name !== undefined) throw refuse('name')
    if (message.content.some((part) => part.type === 'image' && part.detail !== undefined)) throw refuse('content')
  }
}
