import type { JsonObject } from '@agent-service/sdk'

/**
 * The expected answer of the responses protocol, computed from its documents independently of the
 * adapter.
 */
export interface ResponsesExpectation {
  readonly text: string
  readonly reasoning: string
  /** `undefined` for arguments that are not JSON. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[]
  /** Items that must go back as they came, reasoning first among them. */
  readonly opaque: readonly JsonObject[]
  readonly finish: string
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number } | undefined
}

type Loose = { readonly [name: string]: Loose } & readonly Loose[] & string & number

/**
 * Computes the expectation; documents are events of a stream, whole or cut, or one whole answer.
 */
export function responsesExpectationOf(documents: readonly unknown[]): ResponsesExpectation {
  const events = documents as readonly Loose[]
  const isWhole = events.length === 1 && events[0]?.['output'] !== undefined
  const response = (
    isWhole ? events[0] : events.findLast((event) => /^response\.(completed|incomplete)$/.test(event['type']))?.['response']
  ) as Loose | undefined
  const items: readonly Loose[] = isWhole
    ? ((response?.['output'] ?? []) as readonly Loose[])
    : events.filter((event) => event['type'] === 'response.output_item.done').map((event) => event['item'] as Loose)
  const calls = items.filter((item) => item['type'] === 'function_call')
  const customs = items.filter((item) => item['type'] === 'custom_tool_call')
  return {
    text: isWhole ? items.flatMap(textsOf).join('') : streamedText(events, items.length),
    reasoning: isWhole
      ? items
          .filter((item) => item['type'] === 'reasoning')
          .map(sectionsOf)
          .join('')
      : streamedReasoning(events),
    calls: [
      ...calls.map((call) => ({ id: call['call_id'], name: call['name'], arguments: JSON.parse(call['arguments'] || '{}') as unknown })),
      ...customs.map((call) => ({ id: call['call_id'], name: call['name'], arguments: { input: call['input'] } })),
    ] as ResponsesExpectation['calls'],
    opaque: items.filter((item) => !['message', 'function_call'].includes(item['type'])) as unknown as readonly JsonObject[],
    finish: response?.['incomplete_details']?.['reason'] ?? response?.['status'] ?? '',
    usage: response?.['usage'] ? countsOf(response['usage'] as Loose) : undefined,
  }
}

const textsOf = (item: Loose): readonly string[] =>
  item['type'] === 'message' ? (item['content'] as readonly Loose[]).map((part) => part['text'] ?? part['refusal'] ?? '') : []

const sectionsOf = (item: Loose): string => {
  const texts = (name: string): readonly string[] => ((item[name] ?? []) as readonly Loose[]).map((part) => part['text']).filter(Boolean)
  return (texts('summary').length > 0 ? texts('summary') : texts('content')).join('\n\n')
}

/** Of each item its text as it ended, else its pieces: one recording leaves pieces out. */
function streamedText(events: readonly Loose[], count: number): string {
  const texts = new Map<string, string>()
  for (const event of events) {
    const place = `${String(event['output_index'])} ${String(event['content_index'])}`
    if (/^response\.(output_text|refusal)\.delta$/.test(event['type'])) texts.set(place, (texts.get(place) ?? '') + event['delta'])
    if (count > 0 && event['type'] === 'response.output_item.done' && event['item']['type'] === 'message') {
      for (const [index, text] of textsOf(event['item']).entries()) texts.set(`${String(event['output_index'])} ${index}`, text)
    }
  }
  return [...texts.values()].join('')
}

/** The pieces by item and section, in order; an empty line between the sections of an item. */
function streamedReasoning(events: readonly Loose[]): string {
  const items = new Map<string, Map<string, string>>()
  for (const event of events) {
    if (!/^response\.reasoning_(summary_)?text\.delta$/.test(event['type'])) continue
    const sections = items.get(String(event['output_index'])) ?? new Map<string, string>()
    const section = String(event['summary_index'] ?? event['content_index'])
    sections.set(section, (sections.get(section) ?? '') + event['delta'])
    items.set(String(event['output_index']), sections)
  }
  return [...items.values()].map((sections) => [...sections.values()].join('\n\n')).join('')
}

const countsOf = (usage: Loose): ResponsesExpectation['usage'] => ({
  input: usage['input_tokens'],
  cached: usage['input_tokens_details']?.['cached_tokens'] ?? 0,
  output: usage['output_tokens'],
  reasoning: usage['output_tokens_details']?.['reasoning_tokens'] ?? 0,
})
