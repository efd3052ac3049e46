import { type FieldRules, hint, never, only, otherContent, sharedFields } from '../fields/field-rules.js'
import { textCallFields } from './calls-as-text.js'

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
  truncation: hint('disabled'),
  prompt: never('is not supported: no prompts are stored here. Send instructions and input.'),
  context_management: never('is not supported. Shorten the input.'),
}

/** The members of `text` beside its format. */
export const textFields: FieldRules = { format: 'carried', verbosity: hint('medium') }

/** The members of `reasoning`. Every model is asked for the summary that it gives. */
export const reasoningFields: FieldRules = {
  effort: 'carried',
  summary: hint('auto'),
  generate_summary: hint('auto'),
  context: only(['auto'], 'must be auto. Send the reasoning that the model is to see as input.'),
  mode: only(['standard'], 'must be standard.'),
}

/** The members of `stream_options`; they are about the form of the stream alone. */
export const streamOptionFields: FieldRules = { include_obfuscation: hint(false), '*': 'ignored' }

const asItem = only([[], {}], 'is not read here and would be lost. Send an item of the type function_call.')
const callsOfMessages: FieldRules = { tool_calls: asItem, function_call: asItem }

/** The members of an item of the input, by type. An answer that is sent back has whatever its server put there. */
export const itemFields: Readonly<Record<string, FieldRules>> = {
  ...textCallFields,
  message: { ...otherContent, ...callsOfMessages, type: 'carried', role: 'carried', content: 'carried', '*': 'ignored' },
  reasoning: { type: 'carried', summary: 'carried', content: 'carried', '*': 'ignored' },
  function_call: { type: 'carried', call_id: 'carried', name: 'carried', namespace: 'carried', arguments: 'carried', '*': 'ignored' },
  // A picture of an answer that is sent back; no protocol reads it.
  image_generation_call: { type: 'carried', '*': 'ignored' },
  function_call_output: { ...otherContent, type: 'carried', call_id: 'carried', output: 'carried', '*': 'ignored' },
}

/**
 * What another server did by itself before it answered. What came of it is in the text that follows; no model can be
 * given it as a call of its own.
 */
export const foreignItems: ReadonlySet<string> = new Set([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'tool_search_call', 'tool_search_output'],
  ...['mcp_list_tools', 'mcp_call', 'ghost_snapshot'],
])
