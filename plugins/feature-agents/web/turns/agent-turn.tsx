import { canReadAloud, ErrorWords, IconButton, lazyPart, agentName as shownName } from '@agent-service/sdk/web'
import { createMemo, For, type JSX, Show } from 'solid-js'
import type { Schemas } from '../api/index.js'
import { agentOf, knownModels } from '../choices/choices.js'
import { RetryNote } from '../failures/retry-note.js'
import { endOfTurn, type TurnEnd } from '../failures/turn-end.js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import { BranchSwitch } from './branch-switch.js'
import { CopyIcon } from './copy-icon.js'
import { fallbackText } from './fallback-text.js'
import { MadeFiles } from './files/made-files.js'
import { madeInTurn } from './files/made-in-turn.js'
import { plainText } from './message-text.js'
import { hasWords, Pulse } from './pulse.js'
import { createRegeneration } from './regenerate.js'
import { RunNotes } from './run-notes.js'
import { Step } from './step.js'
import { t } from './texts.js'

const FailedTurn = lazyPart(
  () => import('../failures/failed-turn.js'),
  (part) => part.FailedTurn,
)

const ReadAloud = lazyPart(
  () => import('./reading/read-aloud.js'),
  (part) => part.ReadAloud,
)

/** The attribute by which the messages of a turn are found in the page. */
export const idsOf = (messages: readonly Message[]): string => messages.map(({ id }) => id).join(' ')

/** What an agent did and said in one run: its steps along a line. */
export function AgentTurn(props: {
  readonly chat: ChatState
  readonly messages: readonly Message[]
  /** Whether no later turn has messages of the same run. */
  readonly endsRun: boolean
  readonly hasLater: boolean
  /** It stands beside another answer, and is neither answered again nor exchanged there. */
  readonly isCompared: boolean | undefined
}): JSX.Element {
  const again = createRegeneration(props.chat)
  const runId = (): string => props.messages[0]?.run_id ?? ''
  const keys = createMemo<readonly string[]>(
    () =>
      props.messages.flatMap((message) =>
        message.role === 'assistant'
          ? message.content.flatMap((_, index) => (hasWords(props.chat, message, index) ? [`${message.id} ${index}`] : []))
          : [],
      ),
    [],
    { equals: (one, other) => one.length === other.length && one.every((key, index) => key === other[index]) },
  )
  const live = (): boolean => props.chat.state.chat?.active_run_id === runId()
  const run = () => props.chat.facts.run(runId())
  const agentName = (): string => shownName(agentOf(run()?.agent_id ?? props.chat.state.chat?.agent_id)?.name ?? t('agent'))
  const model = (): string | undefined => {
    const asked = knownModels().find(({ name }) => name === run()?.model_group)
    const id = props.messages.findLast((message) => message.model !== undefined)?.model ?? props.chat.state.models[runId()]
    return id === undefined || id === asked?.model ? asked?.title : (knownModels().find(({ model: known }) => known === id)?.title ?? id)
  }
  const said = (): string =>
    props.messages
      .filter(({ role }) => role === 'assistant')
      .map(plainText)
      .filter((words) => words !== '')
      .join('\n\n')
  const made = createMemo(() => madeInTurn(props.chat, props.messages))
  const first = () => props.messages[0]
  const answerAgain = (): void => {
    const id = first()?.id
    if (id !== undefined) void again.run(id)
  }
  const retry = () => {
    const found = props.chat.state.retry
    return live() && found?.runId === runId() ? found : undefined
  }
  const end = (): TurnEnd | undefined => {
    if (live() || !props.endsRun) return undefined
    const saysNothing = keys().length === 0
    const isLost = run() === undefined && saysNothing && props.messages.at(-1)?.status === 'failed'
    return isLost ? { kind: 'no_answer' } : endOfTurn(run(), { saysNothing })
  }
  return (
    <article class="turn agent" data-run={runId()} data-messages={idsOf(props.messages)}>
      <div class="run">
        <For each={keys()}>{(key) => <Step chat={props.chat} messages={props.messages} place={key} live={live()} />}</For>
        <Show when={live() && !retry()}>
          <Pulse chat={props.chat} runId={runId()} messages={props.messages} />
        </Show>
        <Show when={retry()}>{(found) => <RetryNote retry={found()} />}</Show>
        <For each={fallbacksOf(props.messages)}>
          {(fallback) => (
            <p class="t2 small chat-fallback" title={fallback.detail}>
              {fallbackText(fallback)}
            </p>
          )}
        </For>
        <MadeFiles files={made()} />
        <Show when={end()}>
          {(found) => (
            <FailedTurn
              end={found()}
              endedAt={run()?.finished_at ?? null}
              hasLater={props.hasLater}
              busy={again.busy()}
              disabled={props.chat.isRunning()}
              onRetry={props.isCompared ? undefined : answerAgain}
            />
          )}
        </Show>
        <Show when={again.failure()}>
          {(cause) => (
            <p class="danger small" role="alert">
              <ErrorWords error={cause()} />
            </p>
          )}
        </Show>
      </div>
      <div class="note">
        <b class="cut">
          <bdi>{agentName()}</bdi>
        </b>
        <Show when={model()}>{(name) => <span class="cut">{name()}</span>}</Show>
        <Show when={props.endsRun}>
          <RunNotes run={run()} cost={props.chat.facts.cost(runId())} />
        </Show>
        <Show when={end()?.kind !== 'failed' && props.messages.some(({ status }) => status === 'partial')}>
          <span>{t('stopped')}</span>
        </Show>
        <For each={props.messages.flatMap(({ left_out = [] }) => left_out)}>
          {({ what, count, reason }) => (
            <span title={reason}>{what === 'tools' ? t('without_tools_short') : t('left_out_short', { count: String(count) })}</span>
          )}
        </For>
        <Show when={!live()}>
          <span class="chat-acts">
            <Show when={said()}>{(words) => <CopyIcon text={words} />}</Show>
            <Show when={canReadAloud() && said()}>
              <ReadAloud text={said} />
            </Show>
            {/* A turn that failed has its own button for that. */}
            <Show when={!end() && !props.isCompared}>
              <IconButton
                icon="refresh"
                size="small"
                name={t('regenerate')}
                disabled={props.chat.isRunning() || again.busy()}
                onClick={answerAgain}
              />
            </Show>
            <Show when={!props.isCompared && first()}>{(message) => <BranchSwitch chat={props.chat} message={message()} />}</Show>
          </span>
        </Show>
      </div>
    </article>
  )
}

/** Which models answered in place of which, each pair once. */
const fallbacksOf = (messages: readonly Message[]): readonly Schemas['AnswerFallback'][] => {
  const pairs = messages.flatMap(({ fallback }) => (fallback ? [[`${fallback.wanted} ${fallback.used}`, fallback] as const] : []))
  return [...new Map(pairs).values()]
}
