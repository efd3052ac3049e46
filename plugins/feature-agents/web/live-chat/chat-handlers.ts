import { announce, callText } from '@agent-service/sdk/web'
import { reconcile } from 'solid-js/store'
import type { EventOf, Schemas } from '../api/index.js'
import { failureWords } from '../failures/failure-words.js'
import { type Retry, retryText } from '../failures/retry-note.js'
import type { ChatEvent } from './chat-events.js'
import type { Chat, ChatStore } from './chat-store.js'
import type { ContextUse } from './context-use.js'
import { knownTool } from './known-tools.js'
import type { LiveCalls } from './live-calls.js'
import type { LiveMessages } from './live-messages.js'
import type { LiveTexts } from './live-texts.js'
import type { RunFacts } from './run-facts.js'
import { t } from './texts.js'

/** What the events of a chat change. */
export interface ChatParts {
  readonly store: ChatStore
  readonly messages: LiveMessages
  readonly calls: LiveCalls
  readonly texts: LiveTexts
  readonly facts: RunFacts
  readonly context: ContextUse
}

/** What each event of a chat does. */
export type ChatHandlers = { readonly [Name in ChatEvent['event']]: (data: EventOf<Name>['data']) => void }

/** Makes what each event does. `seen`: the chat as it is shown; `reread`: what events do not tell is read. */
export function createChatHandlers(parts: ChatParts, seen: (chat: Chat) => Chat, reread: () => void): ChatHandlers {
  const { messages, calls, texts, facts, context } = parts
  const { state, set } = parts.store
  /** Says how the answer goes; two that are compared are told by their models. */
  const tell = (words: string): void => {
    if (!state.chat?.comparison) announce(words)
  }
  const onDelta = (type: 'text' | 'reasoning', data: EventOf<'text.delta'>['data']): void => {
    if (state.notice !== undefined || state.retry) set({ notice: undefined, retry: undefined })
    const isKnown = messages.ensurePart(data.message_id, data.part, { type, text: '' })
    if (!isKnown || !texts.write(data.message_id, data.part, data.offset, data.text)) reread()
  }
  const endRun = (run: Schemas['Run']): void => {
    facts.take(run)
    void facts.readCosts()
    set({ stopping: false, notice: undefined, retry: undefined })
    if (messages.lackAlternatives()) reread()
  }
  return {
    'chat.deleted': () => set('deleted', true),
    'chat.updated': ({ chat: told, compaction, summary }) => {
      const chat = seen(told)
      const { model, agent_id } = state.chat ?? chat
      if (compaction === 'done' || summary || model !== chat.model || agent_id !== chat.agent_id) void context.read()
      // Of a comparison, events do not name the alternatives.
      const isChosen = state.chat?.comparison && !chat.comparison
      const moved = isChosen || (state.chat !== undefined && state.chat.branch_id !== chat.branch_id)
      set('chat', reconcile(chat))
      if (moved) reread()
    },
    'message.created': ({ message }) => messages.take(message),
    'message.updated': ({ message }) => messages.take(message),
    'text.delta': (data) => onDelta('text', data),
    'reasoning.delta': (data) => onDelta('reasoning', data),
    'tool_call.started': ({ message_id, part, call_id, arguments: given }) => {
      const known = state.messages[message_id]?.content[part]
      const name = known?.type === 'tool_call' ? known.name : ''
      if (!messages.ensurePart(message_id, part, { type: 'tool_call', call_id, name, arguments: given })) return reread()
      calls.begin(call_id)
    },
    'tool_call.delta': ({ message_id, part, call_id, name, progress, output }) => {
      if (output) calls.addOutput(call_id, output)
      else if (progress) calls.addLine(call_id, progress.message)
      else if (!messages.ensurePart(message_id, part, { type: 'tool_call', call_id, name: name ?? '', arguments: {} })) reread()
    },
    'tool_call.finished': ({ call_id, content, is_error, outcome, files }) => {
      calls.answer(call_id, content, is_error, outcome)
      calls.takeFiles(call_id, files)
      calls.end(call_id)
    },
    'approval.requested': ({ approval }) => {
      set('asked', approval.call_id, approval)
      announce(approval.kind === 'question' ? approval.purpose : callText(knownTool(approval.tool), 'ask', approval.arguments))
    },
    'approval.resolved': ({ approval }) => set('asked', approval.call_id, approval),
    'run.started': (data) => {
      set({ retry: undefined, notice: undefined, ...(data.resumed !== true && { stopping: false }) })
      void facts.readOne(data.run_id)
      if (data.resumed !== true) tell(t('answering'))
      // After a restart of the service the answer is written anew, and nothing flickers.
      if (data.resumed === true && data.void?.part === 0 && data.void.offset === 0) texts.beginAgain(data.void.message_id)
      else messages.cut(data.void)
    },
    'run.retrying': ({ run_id, attempt, max_attempts: max, failure = '', delay_ms = 0, void: cut }) => {
      const until = Date.now() + delay_ms
      const retry: Retry = { runId: run_id, failure, attempt: attempt === undefined ? undefined : attempt + 1, max, until }
      set('retry', retry)
      announce(retryText(retry, Date.now()))
      messages.cut(cut)
    },
    'run.fallback': (data) => {
      set({ retry: undefined, notice: t('fallback', { model: data.used ?? '' }) })
      messages.cut(data.void)
    },
    'run.reduced': ({ left_out, count, reason }) =>
      set('notice', left_out === 'tools' ? t('without_tools', { reason }) : t('left_out', { count: String(count), reason })),
    'run.stopping': ({ run_id }) => {
      if (state.chat?.active_run_id === run_id) set('stopping', true)
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
      set('models', run_id, model)
    },
  }
}
