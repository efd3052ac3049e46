import { allOutput, both, type FieldSample, hello, image, type Place, parameters, pdf, sample, top, weather } from './field-sample.js'
import type { Json } from './recording-upstream.js'

const item =
  (of: (value: Json | undefined) => { readonly [name: string]: Json | undefined }): Place =>
  (value) => ({ input: [of(value), hello] })
const inputPart = (of: (value: Json | undefined) => { readonly [name: string]: Json | undefined }): Place =>
  item((value) => ({ role: 'user', content: [of(value)] }))
const answerPart = (of: (value: Json | undefined) => { readonly [name: string]: Json | undefined }): Place =>
  item((value) => ({ role: 'assistant', content: [of(value)] }))
const flatTool =
  (name: string): Place =>
  (value) => ({ tools: [{ type: 'function', ...weather, [name]: value }] })
const format =
  (name: string): Place =>
  (value) => ({ text: { format: { type: 'json_schema', name: 'report', schema: parameters, [name]: value } } })
const call = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"place":"Oslo"}' }
const reasoning =
  (name: string): Place =>
  (value) => ({ reasoning: { [name]: value } })

/** Samples for responses. */
export const responsesSamples: Readonly<Record<string, FieldSample>> = {
  model: sample('chat', () => ({}), both('model', 'model-1')),
  input: top('input', 'Hej', { completions: ['messages.0.content', 'Hej'], responses: ['input.0.content', 'Hej'] }),
  instructions: top('instructions', 'Be brief.', {
    completions: ['messages.0', { role: 'system', content: 'Be brief.' }],
    responses: ['instructions', 'Be brief.'],
  }),
  'input[].content[].text': sample(
    'Hej',
    inputPart((text) => ({ type: 'input_text', text: text ?? '' })),
    { completions: ['messages.0.content', 'Hej'], responses: ['input.0.content', 'Hej'] },
  ),
  'input[].content[].image_url': sample(
    image,
    inputPart((url) => ({ type: 'input_image', image_url: url })),
    { completions: ['messages.0.content.0.image_url.url', image], responses: ['input.0.content.0.image_url', image] },
  ),
  'input[].content[].detail': sample(
    'high',
    inputPart((detail) => ({ type: 'input_image', image_url: image, detail })),
    { completions: ['messages.0.content.0.image_url.detail', 'high'], responses: ['input.0.content.0.detail', 'high'] },
  ),
  'input[].content[].file_data': sample(
    pdf,
    inputPart((data) => ({ type: 'input_file', filename: 'a.pdf', file_data: data })),
    { completions: ['messages.0.content.0.file.file_data', pdf], responses: ['input.0.content.0.file_data', pdf] },
  ),
  'input[].content[].filename': sample(
    'plan.pdf',
    inputPart((filename) => ({ type: 'input_file', filename, file_data: pdf })),
    { completions: ['messages.0.content.0.file.filename', 'plan.pdf'], responses: ['input.0.content.0.filename', 'plan.pdf'] },
  ),
  'input[].content[].file_id': sample(
    'file-1',
    inputPart((id) => ({ type: 'input_file', file_data: pdf, file_id: id })),
  ),
  'input[].content[].file_url': sample(
    'https://example.com/a.pdf',
    inputPart((url) => ({ type: 'input_file', file_url: url })),
  ),
  'input[].content[].prompt_cache_breakpoint': sample(
    { mode: 'explicit' },
    inputPart((value) => ({ type: 'input_text', text: 'Hi', prompt_cache_breakpoint: value })),
  ),
  'input[].content[].input_audio': sample(
    { data: 'AAAA', format: 'wav' },
    inputPart((audio) => ({ type: 'input_audio', input_audio: audio })),
    undefined,
    'input[0].content[0]',
  ),
  'input[].content[].refusal': sample(
    'No.',
    answerPart((refusal) => ({ type: 'refusal', refusal: refusal ?? '' })),
    { completions: ['messages.0.content', 'No.'], responses: ['input.0.content.0.text', 'No.'] },
  ),
  'input[].arguments': sample(
    '{"place":"Bergen"}',
    (value) => ({
      input: [
        { ...call, arguments: value },
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      ],
    }),
    {
      completions: ['messages.0.tool_calls.0.function.arguments', '{"place":"Bergen"}'],
      responses: ['input.0.arguments', '{"place":"Bergen"}'],
    },
  ),
  'input[].namespace': sample(
    'mcp__sky',
    (namespace) => ({
      input: [
        { ...call, namespace },
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      ],
    }),
    { completions: ['messages.0.tool_calls.0.function.name', 'mcp__sky__weather'], responses: ['input.0.name', 'mcp__sky__weather'] },
  ),
  'tools[].tools': sample([{ type: 'function', ...weather }], (tools) => ({ tools: [{ type: 'namespace', name: 'mcp__sky', tools }] }), {
    completions: ['tools.0.function.name', 'mcp__sky__weather'],
    responses: ['tools.0.name', 'mcp__sky__weather'],
  }),
  'input[].output': sample(
    'sun',
    (output) => ({ input: [call, { type: 'function_call_output', call_id: 'call_1', output: output ?? 'rain' }] }),
    { completions: ['messages.1.content', 'sun'], responses: ['input.1.output', 'sun'] },
  ),
  'input[].summary': sample([{ type: 'summary_text', text: 'Let me see.' }], (summary) => ({
    input: [{ type: 'reasoning', summary: summary ?? [] }, { role: 'assistant', content: 'Hello' }, hello],
  })),
  'input[].encrypted_content': sample(
    'gAAA',
    item((content) => ({ type: 'reasoning', summary: [], encrypted_content: content })),
  ),
  'input[].content[].annotations': sample(
    [{ type: 'url_citation' }],
    answerPart((list) => ({ type: 'output_text', text: 'Hello', annotations: list })),
  ),
  'input[].result': sample(
    'AAAA',
    item((result) => ({ type: 'image_generation_call', result })),
  ),
  'input[].content[].logprobs': sample(
    [{ token: 'Hello', logprob: -1 }],
    answerPart((list) => ({ type: 'output_text', text: 'Hello', logprobs: list })),
  ),
  'input[].id': sample(
    'msg_1',
    item((id) => ({ role: 'assistant', content: 'Hello', id })),
  ),
  'input[].status': sample(
    'completed',
    item((status) => ({ role: 'assistant', content: 'Hello', status })),
  ),
  'input[].phase': sample(
    'commentary',
    item((phase) => ({ role: 'assistant', content: 'Hello', phase })),
  ),
  tools: top('tools', [{ type: 'function', ...weather }], {
    completions: ['tools.0.function', weather],
    responses: ['tools.0', { type: 'function', ...weather, strict: false }],
  }),
  'tools[].strict': sample(true, flatTool('strict'), {
    completions: ['tools.0.function.strict', true],
    responses: ['tools.0.strict', true],
  }),
  'tools[].defer_loading': sample(true, flatTool('defer_loading')),
  'tools[].allowed_callers': sample(['programmatic'], flatTool('allowed_callers')),
  'tools[].output_schema': sample({ type: 'object' }, flatTool('output_schema')),
  tool_choice: sample(
    'required',
    (choice) => ({ tools: [{ type: 'function', ...weather }], tool_choice: choice }),
    both('tool_choice', 'required'),
  ),
  parallel_tool_calls: sample(
    false,
    (value) => ({ tools: [{ type: 'function', ...weather }], parallel_tool_calls: value }),
    both('parallel_tool_calls', false),
  ),
  'text.format.type': sample('json_object', (type) => ({ text: { format: { type: type ?? 'text' } } }), {
    completions: ['response_format', { type: 'json_object' }],
    responses: ['text.format', { type: 'json_object' }],
  }),
  'text.format.name': sample('weather_report', format('name'), {
    completions: ['response_format.json_schema.name', 'weather_report'],
    responses: ['text.format.name', 'weather_report'],
  }),
  'text.format.description': sample('For a diary.', format('description'), {
    completions: ['response_format.json_schema.description', 'For a diary.'],
    responses: ['text.format.description', 'For a diary.'],
  }),
  'text.format.schema': sample({ type: 'object' }, format('schema'), {
    completions: ['response_format.json_schema.schema', { type: 'object' }],
    responses: ['text.format.schema', { type: 'object' }],
  }),
  'text.format.strict': sample(true, format('strict'), {
    completions: ['response_format.json_schema.strict', true],
    responses: ['text.format.strict', true],
  }),
  'text.verbosity': sample('low', (verbosity) => ({ text: { verbosity } })),
  stream: top('stream', true, both('stream', true)),
  'stream_options.include_obfuscation': sample(true, (value) => ({ stream: true, stream_options: { include_obfuscation: value } })),
  max_output_tokens: top('max_output_tokens', 99, { completions: ['max_tokens', 99], responses: ['max_output_tokens', 99] }),
  temperature: top('temperature', 0.3, both('temperature', 0.3)),
  top_p: top('top_p', 0.4, both('top_p', 0.4)),
  'reasoning.effort': sample('low', reasoning('effort'), {
    completions: ['reasoning_effort', 'low'],
    responses: ['reasoning.effort', 'low'],
  }),
  'reasoning.summary': sample('detailed', reasoning('summary')),
  'reasoning.generate_summary': sample('detailed', reasoning('generate_summary')),
  'reasoning.context': sample('all_turns', reasoning('context')),
  'reasoning.mode': sample('pro', reasoning('mode')),
  include: top('include', ['message.output_text.logprobs'], { completions: ['logprobs', true], responses: ['include', allOutput] }),
  top_logprobs: top('top_logprobs', 3, both('top_logprobs', 3)),
  moderation: top('moderation', { model: 'omni' }),
  prompt: top('prompt', { id: 'pmpt_1' }),
  context_management: top('context_management', [{ type: 'compaction' }]),
  truncation: top('truncation', 'auto'),
  previous_response_id: top('previous_response_id', 'resp_1'),
  conversation: top('conversation', 'conv_1'),
  background: top('background', true),
  max_tool_calls: top('max_tool_calls', 3),
  store: top('store', true),
  service_tier: top('service_tier', 'flex'),
  metadata: top('metadata', { topic: 'greeting' }),
  user: top('user', 'ada'),
  safety_identifier: top('safety_identifier', 'ada'),
  prompt_cache_key: top('prompt_cache_key', 'greeting'),
  prompt_cache_options: top('prompt_cache_options', { mode: 'explicit' }),
  prompt_cache_retention: top('prompt_cache_retention', '24h'),
}
