import './compared-answers.css'
import { announce, Button, errorText, modelTitle, showToast } from '@agent-service/sdk/web'
import { createEffect, type JSX, on, onCleanup, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { knownModels } from '../../choices/choices.js'
import { type Answer, type ChatState, createChatState } from '../../live-chat/chat-state.js'
import { t } from './texts.js'

/** How long ends of both answers are gathered before they are told, so that none takes the words of the other. */
const tellMs = 300

/** Shows the turns of one answer alone. */
type AnswerTurns = (answer: ChatState) => JSX.Element

/** Two answers to the newest message, live, until the person goes on with one. The first is that of the branch that is shown. */
export function ComparedAnswers(props: { readonly chat: ChatState; readonly turns: AnswerTurns }): JSX.Element {
  const [first, second] = props.chat.state.chat?.comparison?.answers ?? []
  if (!first || !second) return ''
  const other = createChatState(props.chat.chatId, second)
  const tell = createTelling()
  return (
    <section class="compared" aria-label={t('compared')}>
      <ComparedAnswer chat={props.chat} shown={props.chat} answer={first} turns={props.turns} tell={tell} />
      <ComparedAnswer chat={props.chat} shown={other} answer={second} turns={props.turns} tell={tell} />
      <p class="t2 small">{t('hint')}</p>
    </section>
  )
}

/** One of the answers. `shown`: the chat as if it showed this one. */
function ComparedAnswer(props: {
  readonly chat: ChatState
  readonly shown: ChatState
  readonly answer: Answer
  readonly turns: AnswerTurns
  readonly tell: (words: string) => void
}): JSX.Element {
  const run = () => props.shown.facts.run(props.answer.run_id)
  // It may have no message that would bring it along.
  void props.shown.facts.readOne(props.answer.run_id)
  const model = (): string => modelTitle(knownModels(), run()?.model_group ?? 'primary')
  const end = () => {
    const status = run()?.status
    return status === 'completed' || status === 'failed' || status === 'cancelled' ? status : undefined
  }
  const wordOfEnd = { completed: 'answered', failed: 'failed', cancelled: 'stopped' } as const
  createEffect(
    on(
      () => [run() !== undefined, end()] as const,
      ([, now], before) => {
        // What had ended when the page was opened is no news.
        if (now && before?.[0] && !before[1]) props.tell(t(wordOfEnd[now], { model: model() }))
      },
    ),
  )
  const choose = async (): Promise<void> => {
    const name = model()
    const field = document.querySelector<HTMLElement>('.chat .dock textarea')
    try {
      const path = { chat_id: props.chat.chatId }
      props.chat.setChat(await api.patch('/api/chats/{chat_id}', { path, body: { branch_id: props.answer.branch_id } }))
      announce(t('chosen', { model: name }))
      field?.focus({ preventScroll: true })
    } catch (cause) {
      showToast(t('refused', { reason: errorText(cause) }), { mark: 'fail' })
    }
  }
  const stop = (): void =>
    void props.shown.stop(true).catch((cause: unknown) => showToast(t('stop_failed', { reason: errorText(cause) }), { mark: 'fail' }))
  return (
    <section aria-label={model()}>
      <header>
        <h2 class="cut grow">
          <bdi>{model()}</bdi>
        </h2>
        <Show when={props.shown.isRunning()}>
          <Button size="small" icon="player-stop" busy={props.shown.state.stopping} label={t('stop_of', { model: model() })} onClick={stop}>
            {t('stop')}
          </Button>
        </Show>
      </header>
      <div>{props.turns(props.shown)}</div>
      <footer>
        <Button size="small" icon="check" label={t('choose_of', { model: model() })} onClick={() => void choose()}>
          {t('choose')}
        </Button>
      </footer>
    </section>
  )
}

/** Tells what has ended, once for each answer. */
function createTelling(): (words: string) => void {
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (): void => {
    announce(waiting.join(' '))
    waiting = []
  }
  onCleanup(() => clearTimeout(timer))
  return (words) => {
    waiting.push(words)
    clearTimeout(timer)
    timer = setTimeout(say, tellMs)
  }
}
