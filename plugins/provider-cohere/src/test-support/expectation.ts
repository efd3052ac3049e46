/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[]
  readonly finish: string
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number }
  readonly citations: number
}

type Loose = { readonly [name: string]: Loose } & readonly Loose[] & string & number

/** Computes the expectation; documents are the events of a stream or one whole answer. */
export function expectationOf(documents: readonly unknown[]): Expectation {
  const loose = documents as readonly Loose[]
  const first = loose[0]
  if (loose.length === 1 && first) return ofWhole(first)
  const all = (type: string): readonly Loose[] => loose.filter((document) => document['type'] === type)
  const contents = [...all('content-start'), ...all('content-delta')].map((document) => document['delta']?.['message']?.['content'])
  const starts = all('tool-call-start')
  const end = all('message-end')[0]?.['delta']
  return {
    text: contents.map((content) => content?.['text'] ?? '').join(''),
    reasoning:
      contents.map((content) => content?.['thinking'] ?? '').join('') +
      all('tool-plan-delta')
        .map((document) => document['delta']?.['message']?.['tool_plan'] ?? '')
        .join(''),
    calls: starts.map((start) => {
      const call = start['delta']?.['message']?.['tool_calls']
      const pieces = all('tool-call-delta').filter((delta) => delta['index'] === start['index'])
      const text = pieces.map((delta) => delta['delta']?.['message']?.['tool_calls']?.['function']?.['arguments'] ?? '').join('')
      return { id: call?.['id'] ?? '', name: call?.['function']?.['name'] ?? '', arguments: parsed(text || '{}') }
    }),
    finish: end?.['finish_reason'] ?? '',
    usage: countsOf(end?.['usage']),
    citations: all('citation-start').length,
  }
}

function ofWhole(answer: Loose): Expectation {
  const message = answer['message']
  const contents: readonly Loose[] = message?.['content'] ?? []
  const calls: readonly Loose[] = message?.['tool_calls'] ?? []
  return {
    text: contents.map((content) => content['text'] ?? '').join(''),
    reasoning: contents.map((content) => content['thinking'] ?? '').join('') + (message?.['tool_plan'] ?? ''),
    calls: calls.map((call) => ({
      id: call['id'] ?? '',
      name: call['function']?.['name'] ?? '',
      arguments: parsed(call['function']?.['arguments'] ?? '{}') ?? {},
    })),
    finish: answer['finish_reason'] ?? '',
    usage: countsOf(answer['usage']),
    citations: Object.keys(message?.['citations'] ?? {}).length,
  }
}

const countsOf = (usage: Loose | undefined): Expectation['usage'] => ({
  input: usage?.['tokens']?.['input_tokens'] ?? 0,
  cached: usage?.['cached_tokens'] ?? 0,
  output: usage?.['tokens']?.['output_tokens'] ?? 0,
  reasoning: usage?.['tokens']?.['reasoning_tokens'] ?? 0,
})

/** Of a call that was cut, the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
