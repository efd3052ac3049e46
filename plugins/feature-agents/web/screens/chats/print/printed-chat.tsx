import { agentName, CallWords, momentText } from '@agent-service/sdk/web'
import { StreamedText } from '@agent-service/sdk/web/markdown'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Schemas } from '../../../api/index.js'
import { titleOf } from '../../../chats/chat-menu.js'
import { agentOf } from '../../../choices/choices.js'
import { knownTool } from '../../../live-chat/known-tools.js'
import { type PrintedPicture, placeOf } from './read-pictures.js'
import { t } from './texts.js'

type Chat = Schemas['Chat']
type Message = Schemas['Message']
type Part = Message['content'][number]

/** A chat on paper: who said what and when, calls of tools in a line each, pictures, and files by their names. */
export function PrintedChat(props: {
  readonly chat: Chat
  readonly messages: readonly Message[]
  readonly pictures: ReadonlyMap<string, PrintedPicture>
}): JSX.Element {
  const shown = (): readonly Message[] => props.messages.filter(({ role, status }) => role !== 'tool' && status !== 'open')
  /** The steps of one answer share one heading. */
  const begins = (index: number): boolean => {
    const [message, before] = [shown()[index], shown()[index - 1]]
    return message?.role === 'user' || before?.role !== message?.role || before?.run_id !== message?.run_id
  }
  return (
    <article>
      <header>
        <h1>{titleOf(props.chat)}</h1>
        <p>{t('printed', { when: momentText(new Date()) })}</p>
      </header>
      <For each={shown()}>
        {(message, index) => (
          <section class="print-message" classList={{ you: message.role === 'user' }}>
            <Show when={begins(index())}>
              <h2>
                <bdi>{speakerOf(message, props.chat)}</bdi>
                <span>{momentText(message.created_at)}</span>
              </h2>
            </Show>
            <For each={message.content}>
              {(part, place) => <PrintedPart part={part} role={message.role} picture={props.pictures.get(placeOf(message, place()))} />}
            </For>
            <Show when={message.status !== 'complete'}>
              <p class="print-note">{t(message.status === 'failed' ? 'no_answer' : 'broke_off')}</p>
            </Show>
          </section>
        )}
      </For>
    </article>
  )
}

const speakerOf = ({ role, sent_by, model }: Message, { agent_id }: Chat): string => {
  if (role === 'user') return sent_by ? (sent_by.name ?? t('agent')) : t('you')
  const name = agentName(agentOf(agent_id)?.name ?? t('agent'))
  return model === undefined ? name : `${name} · ${model}`
}

function PrintedPart(props: {
  readonly part: Part
  readonly role: Message['role']
  readonly picture: PrintedPicture | undefined
}): JSX.Element {
  const of = <Type extends Part['type']>(type: Type): Extract<Part, { type: Type }> | undefined =>
    props.part.type === type ? (props.part as Extract<Part, { type: Type }>) : undefined
  const named = (name: string | undefined): JSX.Element => <p class="print-note">{t('file', { name: name ?? t('picture') })}</p>
  return (
    <Switch>
      <Match when={of('text')}>
        {(part) => (
          <Show when={props.role === 'user'} fallback={<StreamedText text={part().text} open={false} />}>
            <p class="print-said foreign">{part().text}</p>
          </Show>
        )}
      </Match>
      <Match when={of('image')}>
        {(part) => (
          <Show when={props.picture} fallback={named(part().name)}>
            {(picture) => <img src={picture().address} alt={part().name ?? t('picture')} />}
          </Show>
        )}
      </Match>
      <Match when={of('file')}>{(part) => named(part().name)}</Match>
      <Match when={of('tool_call')}>
        {(part) => (
          <p class="print-note">
            <CallWords tool={knownTool(part().name)} stage="done" given={part().arguments} />
          </p>
        )}
      </Match>
    </Switch>
  )
}
