import { type FieldRules, hint, never, only, otherContent, sharedFields } from '../fields/field-rules.js'

/** The members of a request of chat completions. */
export const chatFields: FieldRules = {
  ...sharedFields,
  model: 'carried',
  messages: 'carried',
  tools: 'carried',
  tool_choice: 'carried',
  parallel_tool_calls: 'carried',
  response_format: 'carried',
  stream: 'carried',
  stream_options: 'carried',
  max_tokens: 'carried',
  max_completion_tokens: 'carried',
  temperature: 'carried',
  top_p: 'carried',
  top_k: 'carried',
  min_p: 'carried',
  frequency_penalty: 'carried',
  presence_penalty: 'carried',
  seed: 'carried',
  stop: 'carried',
  reasoning_effort: 'carried',
  reasoning: 'carried',
  logprobs: 'carried',
  top_logprobs: 'carried',
  logit_bias: 'carried',
  functions: 'carried',
  function_call: 'carried',
  n: only([1], 'must be 1: the service returns one answer.'),
  modalities: only([['text']], 'must be ["text"], or ["text", "image"]: pictures are passed on if the model gives them.', [
    ['text', 'image'],
    ['image', 'text'],
  ]),
  audio: never('is not supported: answers are text. Remove it.'),
}

/** A request that the answer continues the message. No provider is asked for that, so the model would begin anew. */
const continued = only([false], 'is not supported: an answer is a message of its own. Remove it.')

const usual = { ...otherContent, role: 'carried', content: 'carried', name: 'carried', '*': 'ignored' } as const

/** The members of a message, by role. Clients keep members of their own beside them. */
export const messageFields: Readonly<Record<string, FieldRules>> = {
  system: usual,
  developer: usual,
  user: usual,
  // An answer that is sent back has whatever its server put there.
  assistant: {
    ...{ role: 'carried', content: 'carried', name: 'carried', refusal: 'carried', tool_calls: 'carried', reasoning_content: 'carried' },
    ...{ function_call: 'carried', prefix: continued, partial: continued, '*': 'ignored' },
  },
  tool: { ...usual, tool_call_id: 'carried' },
  function: usual,
}

/** The members of a call of the assistant. */
export const callFields: FieldRules = { id: 'carried', type: only(['function'], 'must be function.'), function: 'carried', '*': 'ignored' }

/** The members of its `function`. */
export const calledFunctionFields: FieldRules = { name: 'carried', arguments: 'carried', '*': 'ignored' }

/** The members of `stream_options`; they are about the form of the stream alone. */
export const streamOptionFields: FieldRules = { include_usage: 'carried', include_obfuscation: { accepts: [false] }, '*': 'ignored' }

/** The members of `reasoning`, as routers of models have it. */
export const reasoningFields: FieldRules = {
  effort: 'carried',
  max_tokens: never('is not supported. Send effort, or set a budget in the model group.'),
  // The reasoning that a model gives is always in the answer.
  exclude: hint(false),
  enabled: only([], 'must be true. Send effort as the model knows it, such as none.', [true]),
  summary: hint('auto'),
}
