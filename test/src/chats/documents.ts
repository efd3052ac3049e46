import type { Random } from '../support/random.js'

type Json = Record<string, unknown>

/** An exported chat. */
export interface ChatFile extends Json {
  readonly chat: Json & { readonly branch: number; readonly title: string | null }
  readonly branches: readonly { readonly number: number; readonly fork: { readonly branch: number; readonly sequence: number } | null }[]
  readonly messages: readonly FileMessage[]
  readonly summaries: readonly Json[]
}

export interface FileMessage extends Json {
  readonly branch: number
  readonly sequence: number
  readonly role: string
  readonly status: string
  readonly content: readonly Json[]
}

export const message = (branch: number, sequence: number, more: Json = {}): FileMessage => ({
  ...{ branch, sequence, run: 1, role: sequence % 2 === 0 ? 'user' : 'assistant', status: 'complete' },
  content: [{ type: 'text', text: `message ${sequence} of ${branch}` }],
  created_at: '2026-01-02T03:04:05.678Z',
  ...more,
})

/** A chat of one branch with these messages. */
export const fileWith = (messages: readonly FileMessage[], more: Json = {}): ChatFile => ({
  ...{ format: 'agent-service.chat', version: 1 },
  chat: {
    ...{ title: 'From elsewhere', agent: null, archived: false, compaction: true, branch: 1 },
    ...{ model: null, pinned: false, tags: [] },
    ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-03T00:00:00.000Z' },
  },
  branches: [{ number: 1, fork: null, created_at: '2026-01-01T00:00:00.000Z' } as ChatFile['branches'][number]],
  messages,
  summaries: [],
  ...more,
})

/** A chat such as the service could have exported: forks of forks, tools, pictures, summaries. */
export function randomFile(random: Random, agent: string): ChatFile {
  const time = (): string => new Date(Date.UTC(2025, 0, 1) + random.between(0, 10_000_000) * 1000).toISOString()
  const begun = time()
  const ranges: { from: number; to: number }[] = []
  const branches: Json[] = []
  const wanted = random.between(1, 12)
  for (let number = 1; number <= wanted; number += 1) {
    const own = random.between(number === 1 ? 1 : 0, 12)
    // Forked before a message of some branch that has one and one before it; before its first
    // message only the first branch.
    const owner = random.between(1, Math.max(1, number - 1))
    const range = ranges[owner - 1]
    const lowest = owner === 1 ? 0 : (range?.from ?? 0) + 1
    if (number > 1 && (!range || lowest >= range.to)) continue
    const fork = number === 1 || !range ? null : { branch: owner, sequence: random.between(lowest, range.to - 1) }
    ranges.push({ from: fork?.sequence ?? 0, to: (fork?.sequence ?? 0) + own })
    branches.push({ number: ranges.length, fork, created_at: number === 1 ? begun : time() })
    if (ranges.length < number) break
  }
  const messages: FileMessage[] = []
  let run = 0
  for (const [index, { from, to }] of ranges.entries()) {
    for (let sequence = from; sequence < to; sequence += 1) {
      if (run === 0 || random.next() < 0.6) run += 1
      const role = random.pick(['user', 'assistant', 'assistant', 'tool'])
      const status = role === 'assistant' ? random.pick(['complete', 'complete', 'partial', 'failed']) : 'complete'
      const model = role === 'user' && random.next() < 0.3 ? { model: 'primary' } : {}
      messages.push(message(index + 1, sequence, { run, role, status, content: randomContent(random, role), created_at: time(), ...model }))
    }
  }
  const summaries: Json[] = []
  for (const [index, { from, to }] of ranges.entries()) {
    if (to > from && random.next() < 0.5) {
      summaries.push({
        ...{ branch: index + 1, until: random.between(from + 1, to), text: `summary ${index}`, task: random.pick([null, 'the task']) },
        ...{ tokens_before: random.between(0, 9999), tokens: random.between(0, 99), model: 'm', created_at: time() },
        undone_at: random.pick([null, time()]),
      })
    }
  }
  summaries.sort((one, other) => Number(one['until']) - Number(other['until']))
  const chat = {
    ...{ title: random.pick([null, 'A title', '“Ünïcode” 😀']), agent, archived: random.next() < 0.3, compaction: random.next() < 0.5 },
    ...{ branch: random.between(1, ranges.length), created_at: begun, updated_at: time() },
    ...{ model: random.pick([null, 'primary']), pinned: random.next() < 0.5, tags: random.pick([[], ['Wörk'], ['a b', '日本', '👩‍🚀']]) },
  }
  return fileWith(messages, { chat, branches, summaries })
}

function randomContent(random: Random, role: string): readonly Json[] {
  const text = () => ({ type: 'text', text: random.pick(['', 'a', 'äöü 漢字 😀', '\u0000\n"\\', '__proto__', '</script>']) })
  const image = () => ({ type: 'image', media_type: 'image/png', data: 'iVBORw==' })
  const file = () => ({ type: 'file', name: 'notes.txt', media_type: 'text/plain', data: 'eA==' })
  const id = () => `call-${random.between(1, 1_000_000_000)}`
  const result = () => ({
    ...{ type: 'tool_result', call_id: id(), name: 'tool', content: [text(), image()].slice(0, random.between(0, 2)) },
    ...random.pick([{}, { is_error: true }, { is_error: false, provider_call_id: 'v' }, { outcome: 'unknown' }]),
  })
  const call = () => ({
    ...{ type: 'tool_call', call_id: id(), name: 'tool', arguments: { constructor: 1, deep: [{ a: null }], text: '😀' } },
    ...random.pick([{}, { provider_call_id: 'v' }, { invalid_arguments: '{' }]),
  })
  const kinds =
    role === 'user' ? [text, image, file] : role === 'tool' ? [result] : [text, image, call, () => ({ type: 'reasoning', text: 'hm' })]
  return Array.from({ length: random.between(0, 3) }, () => random.pick<() => Json>(kinds)())
}
