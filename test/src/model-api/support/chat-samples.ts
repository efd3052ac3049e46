import { allOutput, both, type FieldSample, hello, image, type Place, parameters, pdf, sample, top, weather } from './field-sample.js'
import type { Json } from './recording-upstream.js'

const message =
  (of: (value: Json | undefined) => { readonly [name: string]: Json | undefined }): Place =>
  (value) => ({ messages: [of(value), hello] })
const chatPart = (type: string, of: (value: Json | undefined) => Json | undefined): Place =>
  message((value) => ({ role: 'user', content: [{ type, [type]: of(value) }] }))
const tool: Place = (value) => ({ tools: [{ type: 'function', function: { ...weather, strict: value } }] })
const schema =
  (name: string): Place =>
  (value) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'report', schema: parameters, [name]: value } },
  })
const called = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"place":"Oslo"}' } }

function answerOf(id: Json | undefined): Json {
  return { role: 'tool', tool_call_id: id, content: 'rain' }
}

/** Samples for chat completions. */
export const chatSamples: Readonly<Record<string, FieldSample>> = {
  model: sample('chat', () => ({}), both('model', 'model-1')),
  messages: top('messages', [{ role: 'user', content: 'Hej' }], {
    completions: ['messages.0', { role: 'user', content: 'Hej' }],
    responses: ['input.0', { role: 'user', content: 'Hej' }],
  }),
  'messages[].name': sample(
    'ada',
    message((name) => ({ role: 'user', content: 'Hi', name })),
    { completions: ['messages.0.name', 'ada'] },
    'messages',
  ),
  'messages[].content[].text': sample(
    'Hej',
    chatPart('text', (value) => value ?? ''),
    { completions: ['messages.0.content', 'Hej'], responses: ['input.0.content', 'Hej'] },
  ),
  'messages[].content[].image_url.url': sample(
    image,
    chatPart('image_url', (url) => ({ url: url ?? null })),
    { completions: ['messages.0.content.0.image_url.url', image], responses: ['input.0.content.0.image_url', image] },
  ),
  'messages[].content[].image_url.detail': sample(
    'low',
    chatPart('image_url', (detail) => ({ url: image, detail })),
    { completions: ['messages.0.content.0.image_url.detail', 'low'], responses: ['input.0.content.0.detail', 'low'] },
  ),
  'messages[].content[].file.file_data': sample(
    pdf,
    chatPart('file', (data) => ({ filename: 'a.pdf', file_data: data })),
    { completions: ['messages.0.content.0.file.file_data', pdf], responses: ['input.0.content.0.file_data', pdf] },
  ),
  'messages[].content[].file.filename': sample(
    'plan.pdf',
    chatPart('file', (filename) => ({ filename, file_data: pdf })),
    { completions: ['messages.0.content.0.file.filename', 'plan.pdf'], responses: ['input.0.content.0.filename', 'plan.pdf'] },
  ),
  'messages[].content[].file.file_id': sample(
    'file-1',
    chatPart('file', (id) => ({ file_data: pdf, file_id: id })),
  ),
  'messages[].content[].prompt_cache_breakpoint': sample(
    { mode: 'explicit' },
    message((value) => ({ role: 'user', content: [{ type: 'text', text: 'Hi', prompt_cache_breakpoint: value }] })),
  ),
  'messages[].content[].input_audio': sample(
    { data: 'AAAA', format: 'wav' },
    chatPart('input_audio', (value) => value),
    undefined,
    'messages[0].content[0]',
  ),
  'messages[].refusal': sample(
    'No.',
    message((refusal) => ({ role: 'assistant', content: null, refusal })),
    { completions: ['messages.0.content', 'No.'], responses: ['input.0.content.0.text', 'No.'] },
  ),
  'messages[].tool_calls': sample(
    [called],
    (calls) => ({
      tools: [{ type: 'function', function: weather }],
      messages: [{ role: 'assistant', content: 'I look.', tool_calls: calls }, ...(calls === undefined ? [hello] : [answerOf('call_1')])],
    }),
    { completions: ['messages.0.tool_calls.0.id', 'call_1'], responses: ['input.1.call_id', 'call_1'] },
  ),
  'messages[].tool_call_id': sample(
    'call_1',
    (id) => ({ messages: [{ role: 'assistant', content: null, tool_calls: [called] }, answerOf(id)] }),
    { completions: ['messages.1.tool_call_id', 'call_1'], responses: ['input.1.call_id', 'call_1'] },
  ),
  'messages[].reasoning_content': sample(
    'Let me see.',
    message((reasoning) => ({ role: 'assistant', content: 'Hello', reasoning_content: reasoning })),
  ),
  'messages[].annotations': sample(
    [{ type: 'url_citation' }],
    message((annotations) => ({ role: 'assistant', content: 'Hello', annotations })),
  ),
  'messages[].prefix': sample(
    true,
    message((prefix) => ({ role: 'assistant', content: 'Hello', prefix })),
  ),
  'messages[].images': sample(
    [{ type: 'image_url', image_url: { url: image } }],
    message((images) => ({ role: 'assistant', content: 'Hello', images })),
  ),
  'messages[].audio': sample(
    { id: 'audio_1' },
    message((audio) => ({ role: 'assistant', content: 'Hello', audio })),
  ),
  'messages[].function_call': sample(
    { name: 'weather', arguments: '{"place":"Oslo"}' },
    (call) => ({
      messages: [
        { role: 'assistant', content: null, function_call: call },
        { role: 'function', name: 'weather', content: 'rain' },
      ],
    }),
    { completions: ['messages.0.tool_calls.0.function', called.function], responses: ['input.0.arguments', called.function.arguments] },
  ),
  tools: top('tools', [{ type: 'function', function: weather }], {
    completions: ['tools.0.function', weather],
    responses: ['tools.0', { type: 'function', ...weather, strict: false }],
  }),
  'tools[].function.strict': sample(true, tool, { completions: ['tools.0.function.strict', true], responses: ['tools.0.strict', true] }),
  tool_choice: sample(
    'required',
    (choice) => ({ tools: [{ type: 'function', function: weather }], tool_choice: choice }),
    both('tool_choice', 'required'),
  ),
  parallel_tool_calls: sample(
    false,
    (value) => ({ tools: [{ type: 'function', function: weather }], parallel_tool_calls: value }),
    both('parallel_tool_calls', false),
  ),
  functions: top('functions', [weather], {
    completions: ['tools.0.function', weather],
    responses: ['tools.0', { type: 'function', ...weather, strict: false }],
  }),
  function_call: sample({ name: 'weather' }, (choice) => ({ functions: [weather], function_call: choice }), {
    completions: ['tool_choice', { type: 'function', function: { name: 'weather' } }],
    responses: ['tool_choice', { type: 'function', name: 'weather' }],
  }),
  'response_format.type': sample('json_object', (type) => ({ response_format: { type: type ?? 'text' } }), {
    completions: ['response_format', { type: 'json_object' }],
    responses: ['text.format', { type: 'json_object' }],
  }),
  'response_format.json_schema.name': sample('weather_report', schema('name'), {
    completions: ['response_format.json_schema.name', 'weather_report'],
    responses: ['text.format.name', 'weather_report'],
  }),
  'response_format.json_schema.description': sample('For a diary.', schema('description'), {
    completions: ['response_format.json_schema.description', 'For a diary.'],
    responses: ['text.format.description', 'For a diary.'],
  }),
  'response_format.json_schema.schema': sample({ type: 'object' }, schema('schema'), {
    completions: ['response_format.json_schema.schema', { type: 'object' }],
    responses: ['text.format.schema', { type: 'object' }],
  }),
  'response_format.json_schema.strict': sample(true, schema('strict'), {
    completions: ['response_format.json_schema.strict', true],
    responses: ['text.format.strict', true],
  }),
  verbosity: top('verbosity', 'low'),
  stream: top('stream', true, both('stream', true)),
  'stream_options.include_usage': sample(
    true,
    (value) => ({ stream: true, stream_options: { include_usage: value } }),
    both('stream', true),
  ),
  'stream_options.include_obfuscation': sample(true, (value) => ({ stream: true, stream_options: { include_obfuscation: value } })),
  max_tokens: top('max_tokens', 99, { completions: ['max_tokens', 99], responses: ['max_output_tokens', 99] }),
  max_completion_tokens: top('max_completion_tokens', 99, {
    completions: ['max_tokens', 99],
    responses: ['max_output_tokens', 99],
  }),
  temperature: top('temperature', 0.3, both('temperature', 0.3)),
  top_p: top('top_p', 0.4, both('top_p', 0.4)),
  top_k: top('top_k', 7, {}),
  min_p: top('min_p', 0.1, { completions: ['min_p', 0.1] }),
  frequency_penalty: top('frequency_penalty', 0.5, { completions: ['frequency_penalty', 0.5] }),
  presence_penalty: top('presence_penalty', 0.5, { completions: ['presence_penalty', 0.5] }),
  seed: top('seed', 42, { completions: ['seed', 42] }),
  stop: top('stop', 'END', { completions: ['stop', ['END']] }),
  reasoning_effort: top('reasoning_effort', 'low', { completions: ['reasoning_effort', 'low'], responses: ['reasoning.effort', 'low'] }),
  'reasoning.effort': sample('low', (effort) => ({ reasoning: { effort } }), {
    completions: ['reasoning_effort', 'low'],
    responses: ['reasoning.effort', 'low'],
  }),
  'reasoning.max_tokens': sample(2_000, (tokens) => ({ reasoning: { max_tokens: tokens } })),
  'reasoning.exclude': sample(true, (exclude) => ({ reasoning: { exclude } })),
  'reasoning.enabled': sample(true, (enabled) => ({ reasoning: { enabled } })),
  logprobs: top('logprobs', true, { completions: ['logprobs', true], responses: ['include', allOutput] }),
  top_logprobs: sample(3, (value) => ({ logprobs: true, top_logprobs: value }), both('top_logprobs', 3)),
  logit_bias: top('logit_bias', { '50256': -100 }, { completions: ['logit_bias', { '50256': -100 }] }),
  n: top('n', 2),
  modalities: top('modalities', ['text', 'audio']),
  audio: top('audio', { voice: 'alloy', format: 'wav' }),
  prediction: top('prediction', { type: 'content', content: 'Hello' }),
  web_search_options: top('web_search_options', {}),
  moderation: top('moderation', { model: 'omni' }),
  store: top('store', true),
  service_tier: top('service_tier', 'flex'),
  metadata: top('metadata', { topic: 'greeting' }),
  user: top('user', 'ada'),
  safety_identifier: top('safety_identifier', 'ada'),
  prompt_cache_key: top('prompt_cache_key', 'greeting'),
  prompt_cache_options: top('prompt_cache_options', { mode: 'explicit' }),
  prompt_cache_retention: top('prompt_cache_retention', '24h'),
}
