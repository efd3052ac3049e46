import { membersOf, pathOf } from '@agent-service/sdk/web/configuration'

type Members = Readonly<Record<string, unknown>>

/** One model of a group: where it is called, and its own settings. */
export interface Target {
  readonly provider: string
  readonly model: string
  readonly api: string
  readonly maxTokens: string
  readonly temperature: string
  /** Empty: as the service does by default. */
  readonly inlineReasoning: string
  readonly extraParams: unknown
  /** Members of the file that the form does not show. They stay. */
  readonly others: Members
}

/** What the form of a group holds. */
export interface Group {
  readonly name: string
  readonly own: Target
  readonly fallbacks: readonly Target[]
  readonly contextWindow: string
  readonly maxRetries: string
}

export const emptyTarget: Target = {
  provider: '',
  model: '',
  api: '',
  maxTokens: '',
  temperature: '',
  inlineReasoning: '',
  extraParams: {},
  others: {},
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

function targetOf(entry: Members): Target {
  const { provider, model, api, max_tokens, temperature, inline_reasoning, extra_params, ...others } = entry
  return {
    provider: textOf(provider),
    model: textOf(model),
    api: textOf(api),
    maxTokens: textOf(max_tokens),
    temperature: textOf(temperature),
    inlineReasoning: inline_reasoning === 'auto' ? '' : textOf(inline_reasoning),
    extraParams: extra_params ?? {},
    others,
  }
}

/** The group of an entry in the file. */
export function groupOf(name: string, entry: Members): Group {
  const { fallbacks, context_window, retry, ...target } = entry
  return {
    name,
    own: targetOf(target),
    fallbacks: (Array.isArray(fallbacks) ? fallbacks : []).map((each) => targetOf(membersOf(each))),
    contextWindow: textOf(context_window),
    maxRetries: textOf(membersOf(retry)['max_retries']),
  }
}

const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))

/** The members of a target in the file. Absent ones have no value. */
function membersOfTarget(target: Target): Readonly<Record<string, unknown>> {
  const members = {
    provider: target.provider,
    model: target.model.trim(),
    api: target.api === '' ? undefined : target.api,
    max_tokens: numberOf(target.maxTokens),
    temperature: numberOf(target.temperature),
    inline_reasoning: target.inlineReasoning === '' ? undefined : target.inlineReasoning,
    extra_params: Object.keys(membersOf(target.extraParams)).length === 0 ? undefined : target.extraParams,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** The change of the file that makes it hold the group. Members that the form does not show stay. */
export function changeOf(group: Group): { readonly set: Readonly<Record<string, unknown>>; readonly reset: readonly string[] } {
  const fallbacks = group.fallbacks.map((target) => ({ ...target.others, ...membersOfTarget(target) }))
  const members: Readonly<Record<string, unknown>> = {
    ...membersOfTarget(group.own),
    ...(fallbacks.length > 0 && { fallbacks }),
    ...(group.contextWindow.trim() !== '' && { context_window: Number(group.contextWindow) }),
  }
  const shown = ['provider', 'model', 'api', 'max_tokens', 'temperature', 'inline_reasoning', 'extra_params', 'fallbacks', 'context_window']
  const at = (...names: readonly string[]): string => pathOf('models', group.name, ...names)
  const retries = numberOf(group.maxRetries)
  return {
    set: {
      ...Object.fromEntries(Object.entries(members).map(([name, value]) => [at(name), value])),
      ...(retries !== undefined && { [at('retry', 'max_retries')]: retries }),
    },
    reset: [
      ...shown.filter((name) => members[name] === undefined).map((name) => at(name)),
      ...(retries === undefined ? [at('retry', 'max_retries')] : []),
    ],
  }
}

/** The list with one entry moved; the same list if it cannot move there. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return list
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}
