import './turns.css'
import { lazyPart } from '@agent-service/sdk/web'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Schemas } from '../api/index.js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import { AgentTurn, idsOf } from './agent-turn.js'
import type { Heights } from './heights.js'
import { PersonTurn } from './person-turn.js'
import { ComingTurn } from './pulse.js'

const ComparedAnswers = lazyPart(
  () => import('./compared/compared-answers.js'),
  (part) => part.ComparedAnswers,
)

const SilentTurn = lazyPart(
  () => import('./silent-turn.js'),
  (part) => part.SilentTurn,
)

type Run = Schemas['Run']

interface Turn {
  readonly key: string
  readonly messages: readonly Message[]
  /** The run that ended without a message behind this turn's. */
  readonly silent?: Run
  /** Whether no later turn has messages of the same run. */
  readonly endsRun: boolean
  /** Whether later turns follow. */
  readonly hasLater: boolean
}

interface TurnListProps {
  readonly chat: ChatState
  /** Heights that stand for turns that are far from what is seen. */
  readonly heights?: Heights
  /** One of two compared answers alone, without what was said before. */
  readonly isAnswer?: boolean
}

/** The turns of a chat, from old to new; of a comparison both answers behind them. */
export function TurnList(props: TurnListProps): JSX.Element {
  const comparison = () => props.chat.state.chat?.comparison ?? undefined
  const shown = (): readonly Turn[] => {
    const [all, compared] = [turnsOf(props.chat), comparison()]
    const end = all.findIndex(({ key }) => key === compared?.message_id) + 1
    return props.isAnswer ? all.slice(end) : compared ? all.slice(0, end) : all
  }
  const turns = createMemo<readonly Turn[]>((before) => keepSame(before, shown()), [])
  const byKey = createMemo(() => new Map(turns().map((turn) => [turn.key, turn])))
  const hasBranches = createMemo(() => Object.values(props.chat.state.messages).some(({ alternatives = [] }) => alternatives.length > 1))
  /** The run in progress, while none of its messages is there. */
  const coming = (): string | undefined => {
    if (comparison() && !props.isAnswer) return undefined
    const runId = props.chat.state.chat?.active_run_id ?? undefined
    const has = turns().some(({ messages }) => messages[0]?.role !== 'user' && messages[0]?.run_id === runId)
    return has || props.chat.loading() === 'first' ? undefined : runId
  }
  return (
    <>
      <For each={turns().map(({ key }) => key)}>
        {(key) => (
          <Show
            when={props.heights?.has(key) ? undefined : byKey().get(key)}
            fallback={
              <article
                class="turn"
                data-messages={idsOf(byKey().get(key)?.messages ?? [])}
                style={{ 'block-size': `${props.heights?.get(key)}px` }}
              />
            }
          >
            {(turn) => (
              <Switch
                fallback={
                  <AgentTurn
                    chat={props.chat}
                    messages={turn().messages}
                    endsRun={turn().endsRun}
                    hasLater={turn().hasLater && hasBranches()}
                    isCompared={props.isAnswer}
                  />
                }
              >
                <Match when={turn().silent}>
                  {(run) => (
                    <SilentTurn
                      chat={props.chat}
                      run={run()}
                      asked={turn().messages[0]?.id ?? ''}
                      hasLater={turn().hasLater && hasBranches()}
                      isCompared={props.isAnswer}
                    />
                  )}
                </Match>
                <Match when={turn().messages[0]?.role === 'user' ? turn().messages[0] : undefined}>
                  {(message) => <PersonTurn chat={props.chat} message={message()} />}
                </Match>
              </Switch>
            )}
          </Show>
        )}
      </For>
      <Show when={coming()}>{(runId) => <ComingTurn chat={props.chat} runId={runId()} />}</Show>
      <Show when={!props.isAnswer && comparison()?.answers[1]?.run_id} keyed>
        {(_) => <ComparedAnswers chat={props.chat} turns={(answer) => <TurnList chat={answer} isAnswer />} />}
      </Show>
    </>
  )
}

/** The turns that are as before stay what they were, so that nothing of them is made again. */
function keepSame(before: readonly Turn[], turns: readonly Turn[]): readonly Turn[] {
  const earlier = new Map(before.map((turn) => [turn.key, turn]))
  return turns.map((turn) => {
    const last = earlier.get(turn.key)
    return last && isSame(last, turn) ? last : turn
  })
}

const isSame = (one: Turn, other: Turn): boolean =>
  one.silent === other.silent &&
  one.endsRun === other.endsRun &&
  one.hasLater === other.hasLater &&
  one.messages.length === other.messages.length &&
  one.messages.every((message, index) => message === other.messages[index])

/** A person's message alone, all messages of an agent that follow each other in one run, and a run that ended without any. */
function turnsOf({ state, facts }: ChatState): readonly Turn[] {
  const messages = state.order.flatMap((id) => state.messages[id] ?? [])
  const turns: { key: string; messages: Message[]; silent?: Run }[] = []
  for (const [index, message] of messages.entries()) {
    const last = turns.at(-1)
    const joins = message.role !== 'user' && last?.messages[0]?.role !== 'user' && last?.messages[0]?.run_id === message.run_id
    if (joins) last?.messages.push(message)
    else turns.push({ key: message.id, messages: [message] })
    const silent = message.role === 'user' ? silentRun(message, messages[index + 1]) : undefined
    if (silent) turns.push({ key: `run ${silent.id}`, messages: [message], silent })
  }
  const lastOfRun = new Map(turns.map((turn, index) => [turn.silent?.id ?? turn.messages[0]?.run_id, index]))
  return turns.map((turn, index) => ({
    ...turn,
    endsRun: lastOfRun.get(turn.messages[0]?.run_id) === index,
    hasLater: index < turns.length - 1,
  }))

  /** The run that ended behind a person's message without one of its own; at the end of the branch, the newest run there. */
  function silentRun(message: Message, next: Message | undefined): Run | undefined {
    if (next && (next.role !== 'user' || next.run_id === message.run_id)) return undefined
    const run = next ? facts.run(message.run_id) : facts.newestOn(state.chat?.branch_id)
    if (!run || (run.id !== message.run_id && run.created_at < message.created_at)) return undefined
    return run.status === 'failed' || run.status === 'cancelled' ? run : undefined
  }
}
