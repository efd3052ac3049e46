import { cacheHints, type FieldRules, never, only, sharedFields } from '../fields/field-rules.js'

/** The members of a request of responses. Their readers refuse stored state. */
export const responsesFields: FieldRules = {
  ...sharedFields,
  model: 'carried',
  input: 'carried',
  instructions: 'carried',
  tools: 'carried',
  tool_choice: 'carried',
  parallel_tool_calls: 'carried',
  text: 'carried',
  reasoning: 'carried',
  stream: 'carried',
  stream_options: 'carried',
  max_output_tokens: 'carried',
  temperature: 'carried',
  top_p: 'carried',
  top_logprobs: 'carried',
  include: 'carried',
  previous_response_id: 'carried',
  conversation: 'carried',
  background: 'carried',
  store: 'carried',
  truncation: only(['disabled'], 'must be disabled: a conversation that is too long is refused. Shorten the input.'),
  prompt: never('is not supported: no prompts are stored here. Send instructions and input.'),
  context_management: never('is not supported. Shorten the input.'),
}

/** The members of `text` beside its format. */
export const textFields: FieldRules = {
  format: 'carried',
  verbosity: only(['medium'], 'must be medium, the default. Set it in extra_params of the model group.'),
}

const summary = only(['auto'], 'must be auto: the service asks every model for the summary that it gives.')

/** The members of `reasoning`. */
export const reasoningFields: FieldRules = {
  effort: 'carried',
  summary,
  generate_summary: summary,
  context: only(['auto'], 'must be auto. Send the reasoning that the model is to see as input.'),
  mode: only(['standard'], 'must be standard.'),
}

/** The members of `stream_options`. */
export const streamOptionFields: FieldRules = { include_obfuscation: only([false], 'must be false: streams are not padded.') }

const programs = never('is not supported: only the model calls tools. Remove it.')

/** The members of an item of the input, by type. */
export const itemFields: Readonly<Record<string, FieldRules>> = {
  message: {
    ...{ type: 'carried', role: 'carried', content: 'carried', id: 'ignored', status: 'ignored' },
    phase: never('is not supported. Remove it.'),
  },
  reasoning: {
    ...{ type: 'carried', summary: 'carried', content: 'carried', id: 'ignored', status: 'ignored' },
    encrypted_content: never('was not encrypted by this service. Remove it; the text of the reasoning is in summary.'),
  },
  function_call: {
    ...{ type: 'carried', call_id: 'carried', name: 'carried', arguments: 'carried', id: 'ignored', status: 'ignored' },
    caller: programs,
    namespace: never('is not supported. Remove it.'),
  },
  function_call_output: {
    ...{ type: 'carried', call_id: 'carried', output: 'carried', id: 'ignored', status: 'ignored' },
    caller: programs,
  },
}

const noStoredFiles = never('is not supported: no files are stored here. Send the content as a data URI.')

/** The members of a part of an item, by type. */
export const partFields: Readonly<Record<string, FieldRules>> = {
  input_text: { type: 'carried', text: 'carried', ...cacheHints },
  // An answer that is sent back has both; no protocol reads them.
  output_text: { type: 'carried', text: 'carried', annotations: 'ignored', logprobs: 'ignored' },
  refusal: { type: 'carried', refusal: 'carried' },
  input_image: { type: 'carried', image_url: 'carried', detail: 'carried', file_id: noStoredFiles, ...cacheHints },
  input_file: {
    ...{ type: 'carried', file_data: 'carried', filename: 'carried', file_id: noStoredFiles, file_url: noStoredFiles, ...cacheHints },
    detail: only(['auto'], 'must be auto, the default.'),
  },
}
