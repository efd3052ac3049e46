import '../screens/home/home.css'
import { createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { chooseTemporary, isNextTemporary, onBeginChat } from '../app/new-chat.js'
import { prepareScreen } from '../app/prepare-screen.js'
import { navigate } from '../app/router.js'
import { isTyping } from '../app/shortcuts.js'
import { Choice } from '../choices/choice.js'
import { agentOf, knownAgents, readChoices } from '../choices/choices.js'
import { takeSecondModel } from '../choices/second-model.js'
import { recall, remember } from '../core/storage.js'
import { onDelivered, outgoing, post } from '../outbox/outbox.js'
import { PendingTurn } from '../outbox/pending-turn.js'
import { Ideas, isIdea } from '../screens/home/ideas.js'
import { t } from '../screens/home/texts.js'
import { Composer, type Written } from './composer.js'
import { createDraft, draftKeyOf } from './draft.js'
import { createFileDrop } from './drop-files.js'

/**
 * Begins a chat with what is asked. The outbox keeps it until the service has it: a reload or a
 * lost connection loses nothing and sends nothing twice.
 */
export function HomeComposer(props: {
  readonly spaceId?: string
  readonly withIdeas?: boolean
  readonly below?: JSX.Element
}): JSX.Element {
  const draft = createDraft('console.draft.home')
  const drop = createFileDrop(draft.attachments.add)
  const [agentId, setAgentId] = createSignal(recall('agent'))
  const [model, setModel] = createSignal<string | null>(null)
  /** What was sent from this page: its chat opens as soon as it is there. */
  let opens: string | undefined
  onMount(() => void readChoices())
  const chosen = (): string | undefined => agentOf(agentId())?.id ?? knownAgents().find(({ enabled }) => enabled)?.id
  createEffect(on(agentId, (id) => remember('agent', id), { defer: true }))
  let prepared: Promise<void> | undefined
  let isLeft = false
  /** What was written since goes on in the chat, without a key that is lost. */
  const openChat = async (chatId: string): Promise<void> => {
    await prepared
    if (isLeft) return
    draft.moveTo(draftKeyOf(chatId), { focused: isFree() })
    await navigate(`/chats/${chatId}`)
  }
  onCleanup(
    onDelivered(({ message }, { key }) => {
      if (key === opens) void openChat(message.chat_id)
    }),
  )
  onCleanup(() => {
    isLeft = true
  })
  const isTemporary = (): boolean => props.spaceId === undefined && isNextTemporary()
  const send = (written: Written): void => {
    const [agent_id, chosenModel] = [agentOf(agentId())?.id, model()]
    const begins = {
      ...(agent_id !== undefined && { agent_id }),
      ...(chosenModel !== null && { model: chosenModel }),
      ...(props.spaceId !== undefined && { space_id: props.spaceId }),
      ...(isTemporary() && { temporary: true }),
    }
    chooseTemporary(false)
    opens = post({ begins, compareWith: takeSecondModel('home'), ...written })
    prepared = prepareScreen('/chats/new')
  }
  let place: HTMLDivElement | undefined
  const focusField = (): void => place?.querySelector('textarea')?.focus()
  if (props.spaceId === undefined) onBeginChat(focusField)
  /** What the person wrote themselves stays before it. */
  const choose = (idea: string): void => {
    draft.setText([isIdea(draft.text()) ? '' : draft.text(), idea].filter((each) => each.trim() !== '').join('\n\n'))
    focusField()
  }
  const waiting = () => outgoing().filter(({ begins }) => begins !== undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button does the same
    <div
      ref={place}
      class="home-ask"
      classList={{ 'drop-over': drop.isOver() }}
      onDragOver={drop.onDragOver}
      onDragLeave={drop.onDragLeave}
      onDrop={drop.onDrop}
    >
      <Composer
        draft={draft}
        label={t('question')}
        placeholder={t('placeholder')}
        rows={2}
        autofocus
        onSend={send}
        agentId={chosen()}
        choice={<Choice place="home" agentId={chosen()} model={model()} onAgent={setAgentId} onModel={setModel} />}
      />
      {props.below}
      <Show when={props.withIdeas}>
        <Ideas agentId={chosen()} onChoose={choose} />
      </Show>
      <For each={waiting()}>{(message) => <PendingTurn message={message} onEdit={draft.takeBack} />}</For>
    </div>
  )
}

/** Whether the person writes here, or nowhere else. */
function isFree(): boolean {
  const focused = document.activeElement
  return document.querySelector('dialog[open]') === null && (!isTyping(focused) || focused?.closest('.home-ask') !== null)
}
