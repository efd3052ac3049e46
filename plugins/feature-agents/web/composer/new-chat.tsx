import './new-chat.css'
import {
  chooseNextTemporary,
  isNextTemporary,
  isTyping,
  navigate,
  onBeginChat,
  prepareScreen,
  recall,
  remember,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, on, onCleanup, onMount } from 'solid-js'
import { Choice } from '../choices/choice.js'
import { agentOf, knownAgents, readChoices } from '../choices/choices.js'
import { takeSecondModel } from '../choices/second-model.js'
import { onDelivered, outgoing, post } from '../outbox/outbox.js'
import { PendingTurn } from '../outbox/pending-turn.js'
import { Composer, type Written } from './composer.js'
import { createDraft, draftKeyOf } from './draft.js'
import { createFileDrop } from './drop-files.js'
import { t } from './texts.js'

/** What stands below the field can read and write it. */
export interface NewChatField {
  /** The agent that would answer, if that is known. */
  readonly agentId: () => string | undefined
  readonly text: () => string
  /** Writes into the field, and takes the focus there. */
  readonly write: (text: string) => void
}

/**
 * Begins a chat with what is asked. The outbox keeps it until the service has it: a reload or a
 * lost connection loses nothing and sends nothing twice.
 */
export function NewChat(props: {
  /** The space of the chat; without one it may be a temporary chat. */
  readonly spaceId?: string
  readonly below?: (field: NewChatField) => JSX.Element
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
    chooseNextTemporary(false)
    opens = post({ begins, compareWith: takeSecondModel('home'), ...written })
    prepared = prepareScreen('/chats/new')
  }
  let place: HTMLDivElement | undefined
  const focusField = (): void => place?.querySelector('textarea')?.focus()
  if (props.spaceId === undefined) onBeginChat(focusField)
  const field: NewChatField = {
    agentId: chosen,
    text: draft.text,
    write(text) {
      draft.setText(text)
      focusField()
    },
  }
  const waiting = () => outgoing().filter(({ begins }) => begins !== undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button does the same
    <div
      ref={place}
      class="new-chat"
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
      {props.below?.(field)}
      <For each={waiting()}>{(message) => <PendingTurn message={message} onEdit={draft.takeBack} />}</For>
    </div>
  )
}

/** Whether the person writes here, or nowhere else. */
function isFree(): boolean {
  const focused = document.activeElement
  return document.querySelector('dialog[open]') === null && (!isTyping(focused) || focused?.closest('.new-chat') !== null)
}
