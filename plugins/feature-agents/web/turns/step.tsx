import { lazyPart, Mark, type MarkName } from '@agent-service/sdk/web'
import { StreamedText } from '@agent-service/sdk/web/markdown'
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import { allowedWords } from './asked/allowed-words.js'
import { markOfCall, ToolCard, wordOfMark } from './calls/tool-card.js'
import { AttachedFiles } from './files/attached-files.js'
import { ReasoningFold } from './reasoning-fold.js'

const AskCard = lazyPart(
  () => import('./asked/ask-card.js'),
  (part) => part.AskCard,
)

/** One part of an answer beside its mark. */
export function Step(props: {
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
