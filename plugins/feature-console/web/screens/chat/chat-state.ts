import { batch, createSignal, onCleanup } from 'solid-js'
import { createStore, produce, reconcile } from 'solid-js/store'
import { api } from '../../api/client.js'
import { type EventName, type EventOf, onEvent } from '../../api/events.js'
import type { Schemas } from '../../api/types.js'
import { announce } from '../../ui/notices.js'
import { createLiveTexts } from './live-texts.js'
import { t } from './texts.js'

export type Chat = Schemas['Chat']
export type Message = Schemas['Message']
export type Part = Schemas['Part']
export type Asked = Schemas['ApprovalOrQuestion']
export type ResultPart = Schemas['ResultPart']

/** What is known of a call beyond its arguments. */
export interface CallState {
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly lines: readonly string[]
  readonly result?: { readonly content: readonly ResultPart[]; readonly isError: boolean; readonly unknown: boolean }
}

interface State {
  chat: Chat | undefined
  /** From old to new. */
  order: readonly string[]
  messages: Record<string, Message>
  calls: Record<string, CallState>
  asked: Record<string, Asked>
  tokens: Record<string, { readonly input: number; readonly output: number }>
  models: Record<string, string>
  failure: Schemas['Failure'] | undefined
  notice: string | undefined
  stopping: boolean
}

export type ChatState = ReturnType<typeof createChatState>

const pageSize = 50
const maxLines = 400
const maxQueued = 10_000
/** Beyond so many messages, the oldest are forgotten while the newest are looked at. */
const maxMessages = 200
const keptMessages = 100
const names = [
  ...([
    'chat.updated',
    'message.created',
    'message.updated',
    'text.delta',
    'reasoning.delta',
    'tool_call.started',
    'tool_call.delta',
  ] as const),
  ...(['tool_call.finished', 'approval.requested', 'approval.resolved', 'run.started', 'run.retrying', 'run.fallback'] as const),
  ...(['run.completed', 'run.failed', 'run.cancelled', 'usage.recorded'] as const),
] satisfies readonly EventName[]

type ChatEvent = EventOf<(typeof names)[number]>

/**
 * One chat: the newest page of its messages, older ones when asked for, kept up to date by events.
 * What arrives while a page is read is applied after it.
 */
export function createChatState(chatId: string) {
  const [state, setState] = createStore<State>({
    ...{ chat: undefined, order: [], messages: {}, calls: {}, asked: {}, tokens: {}, models: {} },
    ...{ failure: undefined, notice: undefined, stopping: false },
  })
  const texts = createLiveTexts()
  const [loading, setLoading] = createSignal<'first' | 'older' | undefined>('first')
  const [error, setError] = createSignal<unknown>()
  const [hasOlder, setHasOlder] = createSignal(false)
  let queued: ChatEvent[] | undefined = []
  let turn = 0
  /** Whether the branch changed while a run is at work: its messages get their alternatives when read again. */
  let forked = false

  const take = (message: Message): void => {
    for (const [index, part] of message.content.entries())
      if (part.type === 'text' || part.type === 'reasoning') texts.set(message.id, index, part.text)
    setState('messages', message.id, reconcile(message))
    if (!state.order.includes(message.id))
      setState('order', (before) =>
        [...before, message.id].sort((one, other) => (state.messages[one]?.sequence ?? 0) - (state.messages[other]?.sequence ?? 0)),
      )
    for (const part of message.content) if (part.type === 'tool_result') finishCall(part.call_id, part.content, part.is_error, part.outcome)
  }
  const callOf = (callId: string): CallState => state.calls[callId] ?? { lines: [] }
  const finishCall = (callId: string, content: readonly ResultPart[], isError = false, outcome?: string): void =>
    setState('calls', callId, { ...callOf(callId), result: { content, isError, unknown: outcome === 'unknown' } })

  const load = async (): Promise<void> => {
    turn += 1
    const mine = turn
    queued ??= []
    try {
      const path = { chat_id: chatId }
      const chat = await api.get('/api/chats/{chat_id}', { path })
      const [page, asked] = await Promise.all([
        api.get('/api/chats/{chat_id}/messages', { path, query: { limit: pageSize, before: chat.message_count } }),
        api.get('/api/approvals', { query: { chat_id: chatId, status: 'pending', limit: 100 } }),
      ])
      if (mine !== turn) return
      batch(() => {
        setState({ chat, order: [], ...(chat.active_run_id === null && { stopping: false }) })
        setState('messages', reconcile({}))
        setState('asked', reconcile(Object.fromEntries(asked.items.map((each) => [each.call_id, each]))))
        for (const message of page.items) take(message)
        setHasOlder((page.items[0]?.sequence ?? 0) > 0)
        setError(undefined)
        setLoading(undefined)
        const position = Number(page.items.find(({ event_id }) => event_id !== undefined)?.event_id ?? 0)
        const late = queued ?? []
        queued = undefined
        for (const event of late) if (event.id === '' || Number(event.id) > position) apply(event)
      })
    } catch (cause) {
      if (mine !== turn) return
      setError(cause)
      setLoading(undefined)
    }
  }
  const loadOlder = async (): Promise<void> => {
    const first = state.messages[state.order[0] ?? '']
    if (!first || loading() || !hasOlder()) return
    setLoading('older')
    const mine = turn
    try {
      const query = { limit: pageSize, before: first.sequence }
      const page = await api.get('/api/chats/{chat_id}/messages', { path: { chat_id: chatId }, query })
      if (mine !== turn) return
      batch(() => page.items.forEach(take))
      setHasOlder((page.items[0]?.sequence ?? 0) > 0)
    } catch (cause) {
      if (mine === turn) setError(cause)
    } finally {
      if (mine === turn) setLoading(undefined)
    }
  }

  /** Makes room for a part that deltas speak of before the message has it. False at a gap. */
  const ensurePart = (messageId: string, index: number, part: Part): boolean => {
    const message = state.messages[messageId]
    if (!message || index > message.content.length) return false
    if (index === message.content.length) setState('messages', messageId, 'content', (before) => [...before, part])
    return true
  }
  const reread = (): void => void load()
  const cutVoid = (cut: Schemas['VoidedText'] | undefined): void => {
    if (!cut) return
    texts.cut(cut.message_id, cut.part, cut.offset)
    if (state.messages[cut.message_id])
      setState('messages', cut.message_id, 'content', (before) => before.slice(0, cut.offset > 0 ? cut.part + 1 : cut.part))
  }
  const endRun = (failure?: Schemas['Failure']): void => {
    setState({ stopping: false, notice: undefined, failure })
    if (!forked) return
    forked = false
    reread()
  }

  const handlers: { readonly [Name in (typeof names)[number]]: (data: EventOf<Name>['data']) => void } = {
    'chat.updated': ({ chat }) => {
      const moved = state.chat !== undefined && state.chat.branch_id !== chat.branch_id
      setState('chat', reconcile(chat))
      if (!moved) return
      forked = chat.active_run_id !== null
      reread()
    },
    'message.created': ({ message }) => onMessage(message),
    'message.updated': ({ message }) => onMessage(message),
    'text.delta': (data) => onDelta('text', data),
    'reasoning.delta': (data) => onDelta('reasoning', data),
    'tool_call.started': ({ message_id, part, call_id, arguments: given }) => {
      const known = state.messages[message_id]?.content[part]
      const name = known?.type === 'tool_call' ? known.name : ''
      if (!ensurePart(message_id, part, { type: 'tool_call', call_id, name, arguments: given })) return reread()
      setState('calls', call_id, { ...callOf(call_id), startedAt: Date.now() })
    },
    'tool_call.delta': ({ message_id, part, call_id, name, progress }) => {
      if (progress) setState('calls', call_id, { ...callOf(call_id), lines: [...callOf(call_id).lines, progress.message].slice(-maxLines) })
      else if (!ensurePart(message_id, part, { type: 'tool_call', call_id, name: name ?? '', arguments: {} })) reread()
    },
    'tool_call.finished': ({ call_id, content, is_error, outcome }) => {
      finishCall(call_id, content, is_error, outcome)
      setState('calls', call_id, { ...callOf(call_id), finishedAt: Date.now() })
    },
    'approval.requested': ({ approval }) => {
      setState('asked', approval.call_id, approval)
      announce(approval.purpose)
    },
    'approval.resolved': ({ approval }) => setState('asked', approval.call_id, approval),
    'run.started': (data) => {
      setState({ failure: undefined, notice: undefined })
      cutVoid(data.void)
    },
    'run.retrying': (data) => {
      setState('notice', t('retrying', { reason: data.failure ?? data.reason ?? '' }))
      cutVoid(data.void)
    },
    'run.fallback': (data) => {
      setState('notice', t('fallback', { model: data.used ?? '' }))
      cutVoid(data.void)
    },
    'run.completed': () => {
      endRun()
      announce(t('answered'))
    },
    'run.failed': ({ failure }) => {
      endRun(failure)
      announce(failure?.message ?? t('failed'))
    },
    'run.cancelled': () => {
      endRun()
      announce(t('stopped'))
    },
    'usage.recorded': ({ run_id, usage, model }) => {
      const before = state.tokens[run_id] ?? { input: 0, output: 0 }
      setState('tokens', run_id, { input: before.input + usage.input_tokens, output: before.output + usage.output_tokens })
      setState('models', run_id, model)
    },
  }
  const onMessage = (message: Message): void => {
    if (state.chat && message.branch_id !== state.chat.branch_id && !state.messages[message.id] && message.sequence < state.order.length)
      return
    if (state.notice !== undefined && message.status === 'complete') setState('notice', undefined)
    take(message)
  }
  const onDelta = (type: 'text' | 'reasoning', data: EventOf<'text.delta'>['data']): void => {
    if (state.notice !== undefined) setState('notice', undefined)
    const isKnown = ensurePart(data.message_id, data.part, { type, text: '' })
    if (!isKnown || !texts.write(data.message_id, data.part, data.offset, data.text)) reread()
  }
  const apply = (event: ChatEvent): void => {
    const handle = handlers[event.event] as ((data: unknown) => void) | undefined
    handle?.(event.data)
  }
  for (const name of names)
    onCleanup(
      onEvent(name, (event) => {
        if ((event.data as { readonly chat_id?: string }).chat_id !== chatId) return
        if (!queued) return batch(() => apply(event))
        queued.push(event)
        if (queued.length > maxQueued) queued.shift()
      }),
    )
  onCleanup(onEvent('reset', reread))
  onCleanup(() => {
    turn += 1
    texts.stop()
  })
  void load()

  return {
    ...{ chatId, state, texts, loading, error, hasOlder, load, loadOlder },
    isRunning: (): boolean => typeof state.chat?.active_run_id === 'string',
    /** Takes what an answer of the service says, before its event has come. */
    takeMessage: (message: Message): void => onMessage(message),
    setChat: (chat: Chat): void => handlers['chat.updated']({ chat, chat_id: chat.id }),
    /** Forgets the oldest of many messages; they are read again when somebody scrolls up to them. */
    trim(): void {
      if (state.order.length <= maxMessages || loading()) return
      const gone = state.order.slice(0, -keptMessages)
      const calls = gone.flatMap((id) =>
        (state.messages[id]?.content ?? []).flatMap((part) => (part.type === 'tool_call' ? part.call_id : [])),
      )
      batch(() => {
        setState('order', (before) => before.slice(-keptMessages))
        setState(
          produce((known) => {
            for (const id of gone) delete known.messages[id]
            for (const id of calls) delete known.calls[id]
          }),
        )
        setHasOlder(true)
      })
      texts.forget(gone)
    },
    setAsked: (asked: Asked): void => setState('asked', asked.call_id, asked),
    /** Asks the run to end; “stopping” stays until the service reports its end. */
    async stop(): Promise<void> {
      const runId = state.chat?.active_run_id
      if (typeof runId !== 'string' || state.stopping) return
      setState('stopping', true)
      try {
        const run = await api.post('/api/runs/{run_id}/cancel', { path: { run_id: runId } })
        if (run.finished_at !== null) setState('stopping', false)
      } catch (cause) {
        setState('stopping', false)
        throw cause
      }
    },
  }
}
