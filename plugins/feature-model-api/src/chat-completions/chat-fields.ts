import { cacheHints, type FieldRules, never, only, sharedFields } from '../fields/field-rules.js'

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
  logprobs: 'carried',
  top_logprobs: 'carried',
  logit_bias: 'carried',
  n: only([1], 'must be 1: the service returns one answer.'),
  modalities: only([['text']], 'must be ["text"]: answers are text.'),
  audio: never('is not supported: answers are text. Remove it.'),
  store: only([false], 'must be false: answers of model groups are not stored.'),
  verbosity: only(['medium'], 'must be medium, the default. Set it in extra_params of the model group.'),
  prediction: never('is not supported. Remove it.'),
  web_search_options: never('is not supported: only functions are. Remove it.'),
  functions: only([[]], 'is not supported. Use tools.'),
  function_call: only(['auto', 'none'], 'is not supported. Use tool_choice.'),
}

/** The members of a message, by role. */
export const messageFields: Readonly<Record<string, FieldRules>> = {
  system: { role: 'carried', content: 'carried', name: 'carried' },
  developer: { role: 'carried', content: 'carried', name: 'carried' },
  user: { role: 'carried', content: 'carried', name: 'carried' },
  assistant: {
    ...{ role: 'carried', content: 'carried', name: 'carried', refusal: 'carried', tool_calls: 'carried', reasoning_content: 'carried' },
    // Members of an answer that is sent back; no protocol reads it.
    annotations: 'ignored',
    audio: never('is not supported: conversations are text. Remove it.'),
    function_call: never('is not supported. Use tool_calls.'),
  },
  tool: { role: 'carried', content: 'carried', tool_call_id: 'carried', name: 'carried' },
}

/** The members of a part of a message, by type. */
export const partFields: Readonly<Record<string, FieldRules>> = {
  text: { type: 'carried', text: 'carried', ...cacheHints },
  refusal: { type: 'carried', refusal: 'carried', ...cacheHints },
  image_url: { type: 'carried', image_url: 'carried', ...cacheHints },
  file: { type: 'carried', file: 'carried', ...cacheHints },
}

/** The members of `image_url`. */
export const imageFields: FieldRules = { url: 'carried', detail: 'carried' }

/** The members of `file`. */
export const fileFields: FieldRules = {
  file_data: 'carried',
  filename: 'carried',
  file_id: never('is not supported: no files are stored here. Send file_data.'),
}

/** The members of a call of the assistant, whose position some clients add. */
export const callFields: FieldRules = {
  id: 'carried',
  type: only(['function'], 'must be function.'),
  function: 'carried',
  index: 'ignored',
}

/** The members of its `function`. */
export const calledFunctionFields: FieldRules = { name: 'carried', arguments: 'carried' }

/** The members of `stream_options`. */
export const streamOptionFields: FieldRules = {
  include_usage: 'carried',
  include_obfuscation: only([false], 'must be false: streams are not padded.'),
}
