/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly signature: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[]
  readonly stop: string | undefined
  readonly usage: { readonly input: number; readonly cached: number; readonly written: number; readonly output: number } | undefined
}

type Loose = { readonly [name: string]: Loose } & readonly Loose[] & string & number

/** Computes the expectation; documents are `{event: data}` of a stream, or one whole answer. */
export function expectationOf(documents: readonly unknown[]): Expectation {
  const all = documents as readonly Loose[]
  const whole = all.find((document) => document['output'] !== undefined)
  return whole ? ofWhole(whole) : ofStream(all)
}

function ofWhole(answer: Loose): Expectation {
  const blocks: readonly Loose[] = answer['output']?.['message']?.['content'] ?? []
  return {
    text: blocks.map((block) => block['text'] ?? '').join(''),
    reasoning: blocks.map((block) => block['reasoningContent']?.['reasoningText']?.['text'] ?? '').join(''),
    signature: blocks.map((block) => block['reasoningContent']?.['reasoningText']?.['signature'] ?? '').join(''),
    calls: blocks.flatMap((block) => {
      const call = block['toolUse']
      return call ? [{ id: call['toolUseId'] as string, name: call['name'] as string, arguments: call['input'] as unknown }] : []
    }),
    stop: answer['stopReason'],
    usage: usageOf(answer['usage']),
  }
}

function ofStream(documents: readonly Loose[]): Expectation {
  const deltas = documents.flatMap((document) => (document['contentBlockDelta'] ? [document['contentBlockDelta']] : []))
  const joined = (pick: (delta: Loose) => string | undefined): string => deltas.map((entry) => pick(entry['delta'] as Loose) ?? '').join('')
  const calls = documents.flatMap((document) => {
    const started = document['contentBlockStart']
    const call = started?.['start']?.['toolUse']
    if (!started || !call) return []
    const index = started['contentBlockIndex'] as number
    const text = deltas
      .filter((entry) => (entry['contentBlockIndex'] as number) === index)
      .map((entry) => entry['delta']?.['toolUse']?.['input'] ?? '')
      .join('')
    return [{ id: call['toolUseId'] as string, name: call['name'] as string, text }]
  })
  const isStopped = documents.some((document) => document['messageStop'] !== undefined)
  return {
    text: joined((delta) => delta['text']),
    reasoning: joined((delta) => delta['reasoningContent']?.['text']),
    signature: joined((delta) => delta['reasoningContent']?.['signature']),
    calls: isStopped ? calls.map(({ id, name, text }) => ({ id, name, arguments: JSON.parse(text === '' ? '{}' : text) as unknown })) : [],
    stop: documents.map((document) => document['messageStop']?.['stopReason']).find((reason) => reason !== undefined),
    usage: usageOf(documents.map((document) => document['metadata']?.['usage']).find((usage) => usage !== undefined)),
  }
}

/** The total determines the input, however the vendor splits it. */
function usageOf(usage: Loose | undefined): Expectation['usage'] {
  if (!usage) return undefined
  const output = usage['outputTokens'] as number
  return {
    input: (usage['totalTokens'] as number) - output,
    cached: (usage['cacheReadInputTokens'] as number | undefined) ?? 0,
    written: (usage['cacheWriteInputTokens'] as number | undefined) ?? 0,
    output,
  }
}
