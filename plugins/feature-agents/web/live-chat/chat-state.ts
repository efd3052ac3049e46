import { announce, callText, isProblem } from '@agent-service/sdk/web'
import { batch, createSignal, onCleanup } from 'solid-js'
import { createStore, produce, reconcile, unwrap } from 'solid-js/store'
import { api, type EventName, type EventOf, onEvent, type Schemas } from '../api/index.js'
import { failureWords } from '../failures/failure-words.js'
import { type Retry, retryText } from '../failures/retry-note.js'
import { createChosen } from './chosen.js'
import { createContextUse } from './context-use.js'
import { knownTool } from './known-tools.js'
import { createLiveTexts } from './live-texts.js'
import { type Asked, readAsked } from './read-asked.js'
import { createRunFacts } from './run-facts.js'
import { t } from './texts.js'

export type Chat = Schemas['Chat']
export type Message = Schemas['Message']
export type Part = Schemas['Part']
export type ResultPart = Schemas['ResultPart']

/** What is known of a call beyond its arguments. */
export interface CallState {
  readonly startedAt?: number
  readonly finishedAt?: number
  /** What it reports of its progress. */
  readonly lines: readonly string[]
  /** The end of what it prints, and where it ends in the whole output. */
  readonly output?: string
  readonly outputEnd?: number
  /** What it made or changed. */
  readonly files?: readonly Schemas['MadeFile'][]
  readonly result?: { readonly content: readonly ResultPart[]; readonly isError: boolean; readonly unknown: boolean }
}

interface State {
  chat: Chat | undefined
  /** From old to new. */
  order: readonly string[]
  messages: Record<string, Message>
  calls: Record<string, CallState>
  asked: Record<string, Asked>
  models: Record<string, string>
  deleted: boolean
  notice: string | undefined
  /** The model call in progress is made again, and nothing of its answer is there yet. */
  retry: Retry | undefined
  stopping: boolean
}

export type ChatState = ReturnType<typeof createChatState>

const pageSize = 50
/** Behind every message: the page before it is the newest. */
const afterAll = 2 ** 31 - 1
const maxLines = 400
/** The most of a call's output that is kept, in UTF-16 code units. */
const maxOutput = 200_000
const maxQueued = 10_000
/** Beyond so many messages, the oldest are forgotten while the newest are looked at. */
const maxMessages = 200
const keptMessages = 100
const names = [
  ...([
    'chat.updated',
    'chat.deleted',
    'message.created',
    'message.updated',
    'text.delta',
    'reasoning.delta',
    'tool_call.started',
    'tool_call.delta',
  ] as const),
  ...([
    'tool_call.finished',
    'approval.requested',
    'approval.resolved',
    'run.started',
    'run.retrying',
    'run.fallback',
    'run.reduced',
  ] as const),
  ...(['run.stopping', 'run.completed', 'run.failed', 'run.cancelled', 'usage.recorded'] as const),
] satisfies readonly EventName[]

/** The events that say of a run in progress that something of it has come. */
const tellingNames: ReadonlySet<EventName> = new Set([
  ...(['run.started', 'run.retrying', 'run.fallback', 'run.reduced', 'text.delta', 'reasoning.delta'] as const),
  ...(['tool_call.started', 'tool_call.delta', 'tool_call.finished', 'approval.resolved'] as const),
])

type ChatEvent = EventOf<(typeof names)[number]>

/**
 * What is read beside the page of messages, perhaps earlier than its position: these events hold
 * whole states, so the last one counts however often they are applied.
 */
const besideNames: ReadonlySet<EventName> = new Set(['chat.updated', 'chat.deleted', 'approval.requested', 'approval.resolved'])
const isBeside = ({ event }: ChatEvent): boolean => besideNames.has(event)

/** The other answer of a comparison, which the chat does not show. */
export type Answer = Schemas['ComparedAnswer']

/**
 * One chat: the newest page of its messages, older ones when asked for, kept up to date by events.
 * What arrives while a page is read is applied after it. `of`: the chat as if it showed that answer.
 */
export function createChatState(chatId: string, of?: Answer) {
  const [state, setState] = createStore<State>({
    ...{ chat: undefined, order: [], messages: {}, calls: {}, asked: {}, models: {} },
    ...{ retry: undefined, notice: undefined, stopping: false, deleted: false },
  })
  const texts = createLiveTexts()
  const facts = createRunFacts(chatId)
  const context = createContextUse(chatId)
  const [loading, setLoading] = createSignal<'first' | 'older' | undefined>('first')
  const [error, setError] = createSignal<unknown>()
  const [hasOlder, setHasOlder] = createSignal(false)
  const [heardAt, setHeardAt] = createSignal<number>()
  let queued: ChatEvent[] | undefined = []
  let turn = 0
  const seen = (chat: Chat): Chat => {
    if (!of) return chat
    const isOpen = chat.active_run_id === of.run_id || chat.beside_run_id === of.run_id
    return { ...chat, branch_id: of.branch_id, active_run_id: isOpen ? of.run_id : null, beside_run_id: null }
  }
  /** Whether an event is of a run that writes in another branch. */
  const isElsewhere = ({ event, data }: ChatEvent): boolean => {
    const runId = 'run_id' in data && event !== 'chat.updated' ? data.run_id : undefined
    return runId !== undefined && (of ? runId !== of.run_id : runId === state.chat?.beside_run_id)
  }

  const take = (message: Message): void => takeAll([message])
  /** Sorts once however many they are: what a page costs does not grow with what is there. */
  const takeAll = (messages: readonly Message[]): void => {
    const known = unwrap(state).messages
    const fresh = messages.filter(({ id }) => known[id] === undefined).map(({ id }) => id)
    for (const message of messages) takeContent(message)
    if (fresh.length > 0)
      setState('order', (before) => [...before, ...fresh].sort((one, other) => (known[one]?.sequence ?? 0) - (known[other]?.sequence ?? 0)))
  }
  const takeContent = (message: Message): void => {
    for (const [index, part] of message.content.entries())
      if (part.type === 'text' || part.type === 'reasoning') texts.set(message.id, index, part.text)
    setState('messages', message.id, reconcile(message))
    for (const part of message.content) if (part.type === 'tool_result') finishCall(part.call_id, part.content, part.is_error, part.outcome)
    const made = message.made_files ?? []
    for (const callId of new Set(made.map(({ call_id }) => call_id)))
      takeFiles(
        callId,
        made.filter(({ call_id }) => call_id === callId),
      )
  }
  const callOf = (callId: string): CallState => state.calls[callId] ?? { lines: [] }
  const finishCall = (callId: string, content: readonly ResultPart[], isError = false, outcome?: string): void =>
    setState('calls', callId, { ...callOf(callId), result: { content, isError, unknown: outcome === 'unknown' } })

  const takeFiles = (callId: string, files: CallState['files']): void => {
    if (files) setState('calls', callId, { ...callOf(callId), files })
  }

  const load = async (): Promise<void> => {
    turn += 1
    const mine = turn
    queued ??= []
    const branch = state.chat?.branch_id
    try {
      const path = { chat_id: chatId }
      const [chat, page, asked] = await Promise.all([
        api.get('/api/chats/{chat_id}', { path }).then(seen),
        api.get('/api/chats/{chat_id}/messages', {
          path,
          query: { limit: pageSize, before: afterAll, ...(of && { branch_id: of.branch_id }) },
        }),
        readAsked(chatId, 'pending'),
      ])
      if (mine !== turn) return
      batch(() => {
        setState({ chat, order: [], ...(chat.active_run_id === null && { stopping: false }) })
        setState('messages', reconcile({}))
        setState('asked', reconcile(asked))
        takeAll(page.items)
        facts.takeRead(page.runs)
        setState('retry', waitingRetry(chat))
        setHasOlder((page.items[0]?.sequence ?? 0) > 0)
        setError(undefined)
        setLoading(undefined)
        const position = Number(page.items.find(({ event_id }) => event_id !== undefined)?.event_id ?? 0)
        const late = queued ?? []
        queued = undefined
        for (const event of late) if (isBeside(event) || event.id === '' || Number(event.id) > position) apply(event)
      })
      // The page may be older than the chat, and of the branch before.
      if (branch !== undefined && chat.branch_id !== branch) return void load()
      await readBeside(chat)
    } catch (cause) {
      if (mine !== turn) return
      setError(cause)
      setLoading(undefined)
    }
  }
  /** What stands beside the messages; the chat does not wait for it. */
  const readBeside = async (chat: Chat): Promise<void> => {
    const running = typeof chat.active_run_id === 'string' ? chat.active_run_id : undefined
    await Promise.all([
      ...[facts.readCosts(), context.read(), readApproved()],
      running !== undefined && Promise.all([readCalls(running), readStopping(running)]),
    ])
  }
  /** What the person has approved, and allowed with that. */
  const readApproved = async (): Promise<void> => {
    try {
      setState('asked', await readAsked(chatId, 'approved'))
    } catch (cause) {
      if (!isProblem(cause)) throw cause
    }
  }
  /** Whether the run was stopped, perhaps in another tab. */
  const readStopping = async (runId: string): Promise<void> => {
    await facts.readOne(runId)
    const asked = facts.run(runId)?.cancel_requested_at ?? null
    if (asked !== null && state.chat?.active_run_id === runId) setState('stopping', true)
  }
  /** What the run in progress waits for, as it was read: clocks may differ, so no longer than the whole wait. */
  const waitingRetry = ({ active_run_id: runId }: Chat): Retry | undefined => {
    const found = runId === null ? undefined : facts.run(runId)?.retry
    const isSilent = state.messages[state.order.at(-1) ?? '']?.content.length === 0
    if (!found || runId === null || !isSilent) return undefined
    const { failure, attempt, max_attempts: max, delay_ms, next_at } = found
    return { runId, failure, attempt, max, until: Math.min(Date.parse(next_at), Date.now() + delay_ms) }
  }
  /** When the calls of a run began and ended, and what those in progress have printed. */
  const readCalls = async (runId: string): Promise<void> => {
    try {
      const { calls } = await api.get('/api/runs/{run_id}/calls', { path: { run_id: runId } })
      batch(() => calls.forEach(takeCall))
    } catch (cause) {
      if (!isProblem(cause)) throw cause
    }
  }
  const takeCall = ({ call_id, started_at, finished_at, is_error, outcome, content, files, output }: Schemas['RunCall']): void => {
    if (content) finishCall(call_id, content, is_error, outcome)
    takeFiles(call_id, files)
    const before = callOf(call_id)
    const isNewer = output && output.offset + output.text.length > (before.outputEnd ?? -1)
    setState('calls', call_id, {
      ...before,
      ...(started_at !== null && { startedAt: Date.parse(started_at) }),
      ...(finished_at !== null && { finishedAt: Date.parse(finished_at) }),
      ...(isNewer && { output: output.text, outputEnd: output.offset + output.text.length }),
    })
  }
  /** Output after a gap begins a new line; what is there already is left out. */
  const addOutput = (callId: string, { offset, text }: Schemas['ToolOutput']): void => {
    const before = callOf(callId)
    const end = before.outputEnd ?? 0
    const fresh = offset >= end ? text : text.slice(end - offset)
    if (fresh === '') return
    const joined = `${before.output ?? ''}${offset > end ? '\n…\n' : ''}${fresh}`
    setState('calls', callId, { ...before, output: joined.slice(-maxOutput), outputEnd: offset + text.length })
  }
  const loadOlder = async (limit = pageSize): Promise<void> => {
    const first = state.messages[state.order[0] ?? '']
    if (!first || loading() || !hasOlder()) return
    setLoading('older')
    const mine = turn
    try {
      const query = { limit, before: first.sequence }
      const page = await api.get('/api/chats/{chat_id}/messages', { path: { chat_id: chatId }, query })
      if (mine !== turn) return
      batch(() => {
        takeAll(page.items)
        facts.takeRead(page.runs)
      })
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
  const endRun = (run: Schemas['Run']): void => {
    facts.take(run)
    void facts.readCosts()
    setState({ stopping: false, notice: undefined, retry: undefined })
    if (lacksAlternatives()) reread()
  }
  /** Whether a message began a branch and came by events alone, which do not name its alternatives. */
  const lacksAlternatives = (): boolean =>
    state.order.some((id, index) => {
      const message = state.messages[id]
      if (!message || message.alternatives !== undefined) return false
      const before = state.messages[state.order[index - 1] ?? '']?.branch_id ?? (message.sequence === 0 ? chatId : message.branch_id)
      return message.branch_id !== before
    })

  const handlers: { readonly [Name in (typeof names)[number]]: (data: EventOf<Name>['data']) => void } = {
    'chat.deleted': () => setState('deleted', true),
    'chat.updated': ({ chat: told, compaction, summary }) => {
      const chat = seen(told)
      const { model, agent_id } = state.chat ?? chat
      if (compaction === 'done' || summary || model !== chat.model || agent_id !== chat.agent_id) void context.read()
      // Of a comparison, events do not name the alternatives.
      const isChosen = state.chat?.comparison && !chat.comparison
      const moved = isChosen || (state.chat !== undefined && state.chat.branch_id !== chat.branch_id)
      setState('chat', reconcile(chat))
      if (moved) reread()
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
    'tool_call.delta': ({ message_id, part, call_id, name, progress, output }) => {
      if (output) addOutput(call_id, output)
      else if (progress)
        setState('calls', call_id, { ...callOf(call_id), lines: [...callOf(call_id).lines, progress.message].slice(-maxLines) })
      else if (!ensurePart(message_id, part, { type: 'tool_call', call_id, name: name ?? '', arguments: {} })) reread()
    },
    'tool_call.finished': ({ call_id, content, is_error, outcome, files }) => {
      finishCall(call_id, content, is_error, outcome)
      takeFiles(call_id, files)
      setState('calls', call_id, { ...callOf(call_id), finishedAt: Date.now() })
    },
    'approval.requested': ({ approval }) => {
      setState('asked', approval.call_id, approval)
      announce(approval.kind === 'question' ? approval.purpose : callText(knownTool(approval.tool), 'ask', approval.arguments))
    },
    'approval.resolved': ({ approval }) => setState('asked', approval.call_id, approval),
    'run.started': (data) => {
      setState({ retry: undefined, notice: undefined, ...(data.resumed !== true && { stopping: false }) })
      void facts.readOne(data.run_id)
      if (data.resumed !== true) tell(t('answering'))
      // After a restart of the service the answer is written anew, and nothing flickers.
      if (data.resumed === true && data.void?.part === 0 && data.void.offset === 0) texts.beginAgain(data.void.message_id)
      else cutVoid(data.void)
    },
    'run.retrying': ({ run_id, attempt, max_attempts: max, failure = '', delay_ms = 0, void: cut }) => {
      const until = Date.now() + delay_ms
      const retry: Retry = { runId: run_id, failure, attempt: attempt === undefined ? undefined : attempt + 1, max, until }
      setState('retry', retry)
      announce(retryText(retry, Date.now()))
      cutVoid(cut)
    },
    'run.fallback': (data) => {
      setState({ retry: undefined, notice: t('fallback', { model: data.used ?? '' }) })
      cutVoid(data.void)
    },
    'run.reduced': ({ left_out, count, reason }) =>
      setState('notice', left_out === 'tools' ? t('without_tools', { reason }) : t('left_out', { count: String(count), reason })),
    'run.stopping': ({ run_id }) => {
      if (state.chat?.active_run_id === run_id) setState('stopping', true)
    },
    'run.completed': ({ run }) => {
      endRun(run)
      tell(t('answered'))
    },
    'run.failed': ({ run, failure }) => {
      endRun(run)
      tell(failure ? failureWords(failure, run.finished_at).title : t('failed'))
    },
    'run.cancelled': ({ run }) => {
      endRun(run)
      tell(t('stopped'))
    },
    'usage.recorded': ({ run_id, usage, model }) => {
      facts.addUsage(run_id, usage)
      context.take(usage)
      setState('models', run_id, model)
    },
  }
  /** Says how the answer goes; two that are compared are told by their models. */
  const tell = (words: string): void => {
    if (!state.chat?.comparison) announce(words)
  }
  const onMessage = (message: Message): void => {
    if (state.chat && message.branch_id !== state.chat.branch_id && !state.messages[message.id] && message.sequence < state.order.length)
      return
    if (message.status === 'complete' && message.role !== 'user') setState({ notice: undefined, retry: undefined })
    // An event does not name the alternatives that an earlier reading told.
    const alternatives = message.alternatives ?? state.messages[message.id]?.alternatives
    take(alternatives === undefined ? message : { ...message, alternatives: [...alternatives] })
  }
  const onDelta = (type: 'text' | 'reasoning', data: EventOf<'text.delta'>['data']): void => {
    if (state.notice !== undefined || state.retry) setState({ notice: undefined, retry: undefined })
    const isKnown = ensurePart(data.message_id, data.part, { type, text: '' })
    if (!isKnown || !texts.write(data.message_id, data.part, data.offset, data.text)) reread()
  }
  const apply = (event: ChatEvent): void => {
    if (isElsewhere(event)) return
    if (tellingNames.has(event.event)) setHeardAt(Date.now())
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
  const setChat = (chat: Chat): void => batch(() => handlers['chat.updated']({ chat, chat_id: chat.id }))
  const chosen = createChosen(chatId, () => state.chat, setChat)
  void load()

  return {
    ...{ chatId, state, texts, facts, context, chosen, setChat, loading, error, hasOlder, load, loadOlder, readCalls },
    /** When something of a run last came to this page; undefined if nothing has since it was opened. */
    heardAt,
    /** Whether the newest messages are being read, after events that have to wait for them. */
    isReading: (): boolean => queued !== undefined,
    isRunning: (): boolean => typeof state.chat?.active_run_id === 'string',
    /** Takes what an answer of the service says, before its event has come. */
    takeMessage: (message: Message): void => onMessage(message),
    /** Forgets the oldest of many messages; they are read again when the person scrolls up to them. */
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
    /** Asks the run to end; “stopping” stays until the service reports its end. The other one of a comparison ends, too, unless `alone`. */
    async stop(alone = false): Promise<void> {
      const { active_run_id: runId, beside_run_id: beside } = state.chat ?? {}
      if (typeof runId !== 'string' || state.stopping) return
      setState('stopping', true)
      const cancel = (run_id: string) => api.post('/api/runs/{run_id}/cancel', { path: { run_id } })
      try {
        const [run] = await Promise.all([cancel(runId), !alone && typeof beside === 'string' && cancel(beside)])
        if (run.finished_at !== null) setState('stopping', false)
      } catch (cause) {
        setState('stopping', false)
        throw cause
      }
    },
  }
}
