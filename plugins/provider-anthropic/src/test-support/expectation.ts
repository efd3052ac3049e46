/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[]
  /** What must go back with the conversation: signatures, and whole opaque blocks. */
  readonly opaque: readonly unknown[]
  readonly finish: string | undefined
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number }
}

type Loose = { readonly [name: string]: Loose } & readonly Loose[] & string & number
type Block = Record<string, unknown>

/** Computes the expectation; documents are the events of a stream or one whole answer. */
export function expectationOf(documents: readonly unknown[]): Expectation {
  const events = documents as readonly Loose[]
  const [first] = events
  const isWhole = first?.['type'] === 'message'
  const blocks: Block[] = isWhole ? structuredClone(first['content'] as unknown as Block[]) : blocksOf(events)
  const usages = isWhole ? [first['usage']] : events.map((event) => event['message']?.['usage'] ?? event['usage'])
  const usage: Record<string, unknown> = {}
  for (const told of usages) for (const [name, value] of Object.entries(told ?? {})) if (value !== null) usage[name] = value
  const joined = (type: string, member: string): string =>
    blocks.map((block) => (block['type'] === type ? String(block[member] ?? '') : '')).join('')
  const ends = events.map((event) => event['stop_reason'] ?? event['delta']?.['stop_reason']).filter((reason) => typeof reason === 'string')
  const count = (name: string): number => Number(usage[name] ?? 0)
  return {
    text: joined('text', 'text'),
    reasoning: joined('thinking', 'thinking'),
    calls: blocks
      .filter((block) => block['type'] === 'tool_use')
      .map((block) => ({ id: String(block['id']), name: String(block['name']), arguments: block['input'] })),
    opaque: blocks.flatMap((block) => {
      if (block['type'] === 'thinking') return [{ type: 'thinking', signature: block['signature'] }]
      return block['type'] === 'text' || block['type'] === 'tool_use' ? [] : [block]
    }),
    finish: ends.at(-1) as string | undefined,
    usage: {
      input: count('input_tokens') + count('cache_read_input_tokens') + count('cache_creation_input_tokens'),
      cached: count('cache_read_input_tokens'),
      output: count('output_tokens'),
      reasoning: Number((usage['output_tokens_details'] as Block | undefined)?.['thinking_tokens'] ?? 0),
    },
  }
}

/** The blocks that a stream builds up, in order of their index. */
function blocksOf(events: readonly Loose[]): Block[] {
  const blocks: Block[] = []
  const inputs = new Map<number, string>()
  for (const event of events) {
    const index = event['index'] as number
    const delta = event['delta'] as Record<string, string> | undefined
    if (event['type'] === 'content_block_start') blocks[index] = structuredClone(event['content_block'] as unknown as Block)
    const block = blocks[index]
    if (event['type'] !== 'content_block_delta' || !block || !delta) continue
    if (delta['type'] === 'input_json_delta') inputs.set(index, (inputs.get(index) ?? '') + delta['partial_json'])
    for (const member of ['text', 'thinking', 'signature'])
      if (delta[member] !== undefined) block[member] = String(block[member] ?? '') + delta[member]
  }
  for (const [index, text] of inputs) if (text !== '') (blocks[index] as Block)['input'] = JSON.parse(text) as unknown
  return blocks
}
