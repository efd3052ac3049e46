import {
  Button,
  canReadAloud,
  compactText,
  copyText,
  durationText,
  ErrorWords,
  errorText,
  IconButton,
  lazyPart,
  Mark,
  type MarkName,
  messageActions,
  moneyText,
  numberText,
  agentName as shownName,
  showToast,
  textOf,
  commonText as ui,
  whenText,
} from '@agent-service/sdk/web'
import { StreamedText } from '@agent-service/sdk/web/markdown'
import { createMemo, createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, type Schemas } from '../api/index.js'
import { agentOf, knownModels } from '../choices/choices.js'
import { RetryNote } from '../failures/retry-note.js'
import { endOfTurn, type TurnEnd } from '../failures/turn-end.js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import type { RunCost } from '../live-chat/run-facts.js'
import { post } from '../outbox/outbox.js'
import { allowedWords } from './asked/allowed-words.js'
import { markOfCall, ToolCard, wordOfMark } from './calls/tool-card.js'
import { fallbackText } from './fallback-text.js'
import { AttachedFiles } from './files/attached-files.js'
import { MadeFiles } from './files/made-files.js'
import { madeInTurn } from './files/made-in-turn.js'
import { hasWords, Pulse } from './pulse.js'
import { ReasoningFold } from './reasoning-fold.js'
import { createRegeneration } from './regenerate.js'
import { t } from './texts.js'

const AskCard = lazyPart(
  () => import('./asked/ask-card.js'),
  (part) => part.AskCard,
)

const FailedTurn = lazyPart(
  () => import('../failures/failed-turn.js'),
  (part) => part.FailedTurn,
)

const ReadAloud = lazyPart(
  () => import('./reading/read-aloud.js'),
  (part) => part.ReadAloud,
)

/** The text of a message as it can be copied and edited. */
export const plainText = (message: Message): string =>
  message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')

/** Who wrote a message of a person's side: the person, or an agent in their place. */
const writerOf = ({ sent_by: sender }: Message): string =>
  sender ? t('by_agent', { name: shownName(sender.name ?? t('agent')) }) : t('you')

/** What a person wrote, with its files; can be edited, which begins a branch. */
export function PersonTurn(props: { readonly chat: ChatState; readonly message: Message }): JSX.Element {
  const [editing, setEditing] = createSignal(false)
  const [text, setText] = createSignal('')
  const files = () => props.message.content.flatMap((part) => (part.type === 'file' || part.type === 'image' ? [part] : []))
  const submit = (): void => {
    const content = text().trim()
    if (content === '' && files().length === 0) return
    const attachments = files().flatMap(({ path, name = '', size = 0 }) => (path === undefined ? [] : [{ path, name, size }]))
    post({ chatId: props.message.chat_id, choice: props.chat.chosen.shown(), content, attachments, replaces: props.message.id })
    setEditing(false)
  }
  return (
    <article class="turn you" data-messages={props.message.id}>
      <Show
        when={editing()}
        fallback={
          <div class="said">
            <Show when={plainText(props.message)}>{(words) => <p class="chat-said foreign">{words()}</p>}</Show>
            <AttachedFiles parts={files()} />
          </div>
        }
      >
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <textarea
            class="text"
            aria-label={t('edit')}
            ref={(element) => queueMicrotask(() => element.focus())}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              setEditing(false)
            }}
          />
          <footer>
            <span class="grow" />
            <Button kind="quiet" size="small" onClick={() => setEditing(false)}>
              {t('cancel')}
            </Button>
            <Button kind="main" size="small" type="submit">
              {t('send_again')}
            </Button>
          </footer>
        </form>
      </Show>
      <div class="note">
        <b>{writerOf(props.message)}</b>
        <span>{whenText(props.message.created_at)}</span>
        <span class="chat-acts">
          <CopyIcon text={() => plainText(props.message)} />
          <IconButton
            icon="pencil"
            size="small"
            name={t('edit')}
            disabled={props.chat.isRunning()}
            onClick={() => {
              setText(plainText(props.message))
              setEditing(true)
            }}
          />
          <Show when={plainText(props.message) !== ''}>
            <For each={messageActions()}>
              {({ icon, title, run }) => (
                <IconButton icon={icon} size="small" name={textOf(title)} onClick={() => run(plainText(props.message))} />
              )}
            </For>
          </Show>
          <BranchSwitch chat={props.chat} message={props.message} />
        </span>
      </div>
    </article>
  )
}

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

/** What a run took: tokens, cost, time. */
function RunNotes(props: { readonly run: Schemas['Run'] | undefined; readonly cost: RunCost | undefined }): JSX.Element {
  const tokens = (): number => (props.run ? props.run.usage.input_tokens + props.run.usage.output_tokens : 0)
  const took = (): string | undefined => {
    const { started_at = null, finished_at = null } = props.run ?? {}
    return started_at === null || finished_at === null ? undefined : durationText(Date.parse(finished_at) - Date.parse(started_at))
  }
  return (
    <>
      <Show when={tokens() > 0}>
        <span title={usageText(props.run)}>{t('tokens', { count: compactText(tokens()) })}</span>
      </Show>
      <Show when={props.cost && props.cost.usd > 0 ? props.cost : undefined}>{(cost) => <span>{moneyText(cost().usd)}</span>}</Show>
      <Show when={took()}>{(time) => <span>{time()}</span>}</Show>
    </>
  )
}

const usageText = (run: Schemas['Run'] | undefined): string =>
  run ? t('usage', { input: numberText(run.usage.input_tokens), output: numberText(run.usage.output_tokens) }) : ''

/** One part of an answer beside its mark. */
function Step(props: {
  readonly chat: ChatState
  readonly messages: readonly Message[]
  readonly place: string
  readonly live: boolean
}): JSX.Element {
  const [messageId = '', index = '0'] = props.place.split(' ')
  const position = Number(index)
  const message = () => props.chat.state.messages[messageId]
  const part = () => message()?.content[position]
  const isLast = (): boolean => position === (message()?.content.length ?? 0) - 1
  const isOpen = (): boolean => message()?.status === 'open' && isLast()
  const text = (): string => props.chat.texts.shown(messageId, position)
  const picture = () => {
    const found = part()
    return found?.type === 'image' ? found : undefined
  }
  const call = () => {
    const found = part()
    return found?.type === 'tool_call' ? found : undefined
  }
  const ofPerson = () => props.chat.state.asked[call()?.call_id ?? '']
  const asked = () => {
    const found = ofPerson()
    return found?.status === 'pending' ? found : undefined
  }
  const mark = (): MarkName => {
    const type = part()?.type
    if (type === 'reasoning') return 'think'
    if (asked()) return 'wait'
    const found = call()
    if (found) return markOfCall(props.chat.state.calls[found.call_id], props.live)
    return isOpen() ? 'next' : 'dot'
  }
  return (
    <div class="step" classList={{ card: call() !== undefined }}>
      <Mark name={mark()} label={call() ? wordOfMark(mark()) : undefined} />
      <Switch>
        <Match when={part()?.type === 'text'}>
          <StreamedText text={text()} open={isOpen()} />
        </Match>
        <Match when={picture()}>{(found) => <AttachedFiles parts={[found()]} />}</Match>
        <Match when={part()?.type === 'reasoning'}>
          <ReasoningFold text={text()} open={isOpen()} />
        </Match>
        <Match when={asked()}>
          {(waiting) => <AskCard asked={waiting()} given={call()?.arguments} onAnswered={props.chat.setAsked} />}
        </Match>
        <Match when={call()}>
          {(found) => (
            <>
              <ToolCard
                part={found()}
                call={props.chat.state.calls[found().call_id]}
                live={props.live}
                onOpen={() => void props.chat.readCalls(message()?.run_id ?? '')}
              />
              <Show when={allowedWords(ofPerson())}>
                {(words) => (
                  <span class="meta chat-decision">
                    <bdi>{words()}</bdi>
                  </span>
                )}
              </Show>
            </>
          )}
        </Match>
      </Switch>
    </div>
  )
}

/** `2 / 3` with a step back and forward, where the chat forks. */
function BranchSwitch(props: { readonly chat: ChatState; readonly message: Message }): JSX.Element {
  const all = (): readonly Schemas['Alternative'][] => props.message.alternatives ?? []
  const index = (): number => {
    const current = all().findIndex(({ branch_id }) => branch_id === props.chat.state.chat?.branch_id)
    return current >= 0 ? current : all().findIndex(({ branch_id }) => branch_id === props.message.branch_id)
  }
  const go = async (to: number): Promise<void> => {
    const target = all()[to]
    if (!target) return
    try {
      const path = { chat_id: props.chat.chatId }
      await api.patch('/api/chats/{chat_id}', { path, body: { branch_id: target.branch_id } })
      await props.chat.load()
    } catch (cause) {
      showToast(t('branch_failed', { reason: errorText(cause) }), { mark: 'fail' })
    }
  }
  return (
    <Show when={all().length > 1}>
      <fieldset class="chat-branch" aria-label={t('branches')}>
        <IconButton
          icon="chevron-left"
          size="small"
          name={t('earlier_branch')}
          disabled={index() <= 0 || props.chat.isRunning()}
          onClick={() => void go(index() - 1)}
        />
        <span class="num">{t('branch_of', { number: index() + 1, count: all().length })}</span>
        <IconButton
          icon="chevron-right"
          size="small"
          name={t('later_branch')}
          disabled={index() >= all().length - 1 || props.chat.isRunning()}
          onClick={() => void go(index() + 1)}
        />
      </fieldset>
    </Show>
  )
}

function CopyIcon(props: { readonly text: () => string }): JSX.Element {
  const [copied, setCopied] = createSignal(false)
  const copy = async (): Promise<void> => {
    try {
      await copyText(props.text())
    } catch {
      return showToast(ui('copy_failed'), { mark: 'fail' })
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return <IconButton icon={copied() ? 'check' : 'copy'} size="small" name={t('copy')} onClick={() => void copy()} />
}
