/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly arguments: unknown }[]
  readonly finish: string | undefined
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number } | undefined
}

type Loose = { readonly [name: string]: Loose } & readonly Loose[] & string & number

/** Computes the expectation; documents are chunks of a stream or one whole answer. */
export function expectationOf(documents: readonly unknown[]): Expectation {
  let text = ''
  let reasoning = ''
  let finish: string | undefined
  let usage: Loose | undefined
  const calls = new Map<string, { id: string | undefined; name: string; text: string }>()
  for (const document of documents as readonly Loose[]) {
    usage = document['usage'] ?? document['x_groq']?.['usage'] ?? usage
    const choice = document['choices']?.[0] as Loose | undefined
    if (!choice) continue
    usage = choice['usage'] ?? usage
    finish = choice['finish_reason'] ?? finish
    const delta = (documents.length === 1 ? (choice['message'] ?? choice['delta']) : choice['delta']) as Loose | undefined
    if (!delta) continue
    text += textOf(delta['content'], 'text') + (delta['refusal'] ?? '')
    reasoning += textOf(delta['content'], 'thinking') + (delta['reasoning_content'] || delta['reasoning'] || '')
    const pieces = [
      ...(delta['tool_calls'] ?? []),
      ...(delta['function_call'] ? [{ function: delta['function_call'] } as unknown as Loose] : []),
    ]
    pieces.forEach((piece, position) => {
      const key = String(piece['index'] ?? position)
      const call = calls.get(key) ?? { id: undefined, name: '', text: '' }
      call.id ??= piece['id'] || undefined
      call.name ||= piece['function']?.['name'] ?? ''
      call.text += piece['function']?.['arguments'] ?? ''
      calls.set(key, call)
    })
  }
  return {
    text,
    reasoning,
    finish,
    calls: [...calls.values()].map((call) => ({ id: call.id, name: call.name, arguments: JSON.parse(call.text || '{}') as unknown })),
    usage: usage && countsOf(usage),
  }
}

function textOf(content: Loose | undefined, type: 'text' | 'thinking'): string {
  if (content === undefined || content === null) return ''
  if ((typeof content as string) === 'string') return type === 'text' ? content : ''
  const parts: readonly Loose[] = content
  return parts
    .filter((part) => part['type'] === type)
    .map((part) => (type === 'text' ? part['text'] : ((part['thinking'] ?? []) as readonly Loose[]).map((piece) => piece['text']).join('')))
    .join('')
}

function countsOf(usage: Loose): Expectation['usage'] {
  const input = usage['prompt_tokens'] ?? 0
  const completion = usage['completion_tokens'] ?? 0
  const reasoning = usage['completion_tokens_details']?.['reasoning_tokens'] ?? 0
  const cached = usage['prompt_tokens_details']?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'] ?? 0
  // The total minus the input is the output, however the vendor counts reasoning.
  const output = usage['total_tokens'] === undefined ? completion : Math.max(completion, usage['total_tokens'] - input)
  return { input, cached: Math.min(cached, input), output, reasoning }
}
