import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'

/** What the model knows how to note: when a message has the quote, it notes the rest. */
export interface Lore {
  readonly quote: string
  readonly text: string
  readonly kind?: 'fact' | 'preference' | 'event' | 'commitment' | 'opinion'
  readonly subject?: string
  /** Absent: it passes. */
  readonly class?: string
  readonly property?: string
  readonly value?: string
  readonly from?: string
  readonly action?: 'add' | 'supersede' | 'contradict' | 'drop'
  readonly proposes?: boolean
}

export type StageName = 'extract' | 'classify' | 'resolve' | 'resolve-playbooks' | 'reconcile' | 'author' | 'author-playbook' | 'adjudicate'

/** What a test has the model answer with: a JSON value, a text as it is, or calls of tools. */
export type Scripted =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly calls: readonly Pick<ToolCallPart, 'name' | 'arguments'>[] }

/** A model whose answers follow from what it is asked. */
export interface ScriptedModel extends Inference {
  /** The stages that were asked for, in order. */
  readonly asked: readonly StageName[]
  readonly requests: readonly InferenceRequest[]
  /** The most calls of extraction and authoring at a time so far. */
  readonly mostAtOnce: number
  /** Answers a stage instead; undefined: as it would. It may throw. */
  intervene(answer: (stage: StageName, request: InferenceRequest) => Scripted | undefined | Promise<Scripted | undefined>): void
}

const roles: readonly (readonly [string, StageName])[] = [
  ['note taker', 'extract'],
  ['librarian', 'classify'],
  ['pages each', 'resolve'],
  ['auditor', 'reconcile'],
  ['ontology board', 'adjudicate'],
]

export function stageOf(request: InferenceRequest): StageName {
  const text = textOf(request, 'system')
  if (text.includes('You are a matchmaker')) return text.includes('candidates for playbooks') ? 'resolve-playbooks' : 'resolve'
  if (text.includes('You are an editor')) return text.includes('You get a playbook') ? 'author-playbook' : 'author'
  const found = roles.find(([role]) => text.includes(role))
  if (!found) throw new Error('The request is of no known stage.')
  return found[1]
}

export const textOf = ({ messages }: InferenceRequest, role: 'system' | 'user'): string =>
  messages
    .filter((message) => message.role === role)
    .flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')

/** A person tells what they do again and again: these words are noted as a playbook. */
const playbookQuote = 'That worked, do it like this every time'

export function createScriptedModel(lore: readonly Lore[], groups: readonly string[] = ['memory']): ScriptedModel {
  const [asked, requests]: [StageName[], InferenceRequest[]] = [[], []]
  let intervention: Parameters<ScriptedModel['intervene']>[0] = () => undefined
  let [active, most] = [0, 0]
  const model: ScriptedModel = {
    ...{ asked, requests },
    get mostAtOnce() {
      return most
    },
    intervene: (answer) => {
      intervention = answer
    },
    limits: { max_tool_turns: 20, default_max_tokens: 4_096, history_truncation_pct: 80 },
    groups: () => groups.map((name) => ({ name, provider: 'fake', model: 'fake', context_window: 128_000 })),
    async *infer(request, { signal }) {
      signal.throwIfAborted()
      const stage = stageOf(request)
      asked.push(stage)
      requests.push(request)
      const counts = stage === 'extract' || stage.startsWith('author') ? 1 : 0
      active += counts
      most = Math.max(most, active)
      try {
        const scripted = (await intervention(stage, request)) ??
          lookUp(stage, request) ?? { json: answers[stage](textOf(request, 'user'), lore) }
        signal.throwIfAborted()
        yield { type: 'response.started' }
        const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
        if ('calls' in scripted) {
          const content = scripted.calls.map((call, index) => ({ type: 'tool_call' as const, call_id: `call-${index}`, ...call }))
          yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
          return
        }
        const text = 'text' in scripted ? scripted.text : JSON.stringify(scripted.json)
        yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
      } finally {
        active -= counts
      }
    },
    embed: async () => {
      throw new Error('There is no group for vectors.')
    },
    countTokens: async () => ({ tokens: 1, exact: false, window: 128_000, reserve: 4_096 }),
  }
  return model
}

/** Playbooks are looked for before they are resolved. */
function lookUp(stage: StageName, request: InferenceRequest): Scripted | undefined {
  if (stage !== 'resolve-playbooks') return undefined
  const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  if (results.length === 0) return { calls: [{ name: 'playbook_search', arguments: { query: 'expenses' } }] }
  const id = /^- (\S+) /m.exec(JSON.stringify(results).replaceAll('\\n', '\n'))?.[1] ?? null
  return { json: { playbooks: numbered(textOf(request, 'user')).map(([candidate]) => ({ candidate, playbook: id })) } }
}

const answers: Readonly<Record<StageName, (material: string, lore: readonly Lore[]) => unknown>> = {
  extract(material, lore) {
    const messages = [...material.matchAll(/^\[(\d+)\] person, [^\n]*:\n([\s\S]*?)(?=\n\n\[\d+\] |\n----- end of)/gm)]
    const claims = messages.flatMap(([, number, text = '']) =>
      lore
        .filter(({ quote }) => text.includes(quote))
        .map(({ text: noted, quote, kind = 'fact', subject = 'the person', from }) => ({
          ...{ text: noted, kind, subject, source: 'person', message: Number(number), quote },
          ...(from !== undefined && { from }),
        })),
    )
    const playbooks = messages
      .filter(([, , text = '']) => text.includes(playbookQuote))
      .map(([, number]) => ({
        ...{ title: 'File the expenses', when_to_use: 'At the end of a month', steps: '1. Collect the receipts.\n2. Fill in the form.' },
        ...{ outcome: 'success', message: Number(number), quote: playbookQuote },
      }))
    return { claims, playbooks }
  },
  classify(material, lore) {
    const claims = numbered(material).map(([claim, line]) => {
      const known = lore.find(({ text }) => line.endsWith(text))
      if (known?.property === undefined) return { claim, durable: false }
      return { claim, durable: true, class: known.class ?? 'person', property: known.property, value: known.value ?? known.text }
    })
    const proposals = lore
      .filter((each) => each.proposes && material.includes(each.text))
      .map(({ property = '' }) => ({ kind: 'property', name: property, label: property }))
    return { claims, proposals }
  },
  resolve: (material) => ({ subjects: numbered(material).map(([subject]) => ({ subject, page: null })) }),
  'resolve-playbooks': (material) => ({ playbooks: numbered(material).map(([candidate]) => ({ candidate, playbook: null })) }),
  reconcile(material, lore) {
    const cases = [...material.matchAll(/^(\d+)\. ([^\n]*)\n {3}- (\S+) /gm)]
    const claims = cases.map(([, claim, line = '', target]) => {
      const known = lore.find(({ text }) => line.includes(text))
      const action = known?.action ?? (line.includes('(functional)') ? 'supersede' : 'add')
      return { claim: Number(claim), action, ...(action !== 'add' && action !== 'drop' && { target }) }
    })
    return { claims }
  },
  author(material) {
    const lines = [...material.matchAll(/^- [a-z0-9_]+: (.*)$/gm)].map(([, text = '']) => text)
    return { body: lines.join(' ') }
  },
  'author-playbook': () => ({
    title: 'File the expenses',
    when_to_use: 'At the end of a month',
    steps: '1. Collect.\n2. Fill in.',
    pitfalls: 'Do not wait.',
  }),
  adjudicate: (material) => ({ terms: numbered(material).map(([proposal]) => ({ proposal, verdict: 'accept' })) }),
}

const numbered = (material: string): readonly (readonly [number, string])[] =>
  [...material.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, line = '']) => [Number(number), line] as const)
