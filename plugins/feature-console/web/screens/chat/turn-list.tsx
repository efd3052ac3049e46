import { createMemo, For, type JSX, Show } from 'solid-js'
import type { ChatState, Message } from './chat-state.js'
import { ComingTurn } from './pulse.js'
import { AgentTurn, PersonTurn } from './turns.js'

interface Turn {
  readonly key: string
  readonly messages: readonly Message[]
}

/** The turns of a chat, from old to new. */
export function TurnList(props: { readonly chat: ChatState }): JSX.Element {
  const turns = createMemo(() => turnsOf(props.chat.state.order.flatMap((id) => props.chat.state.messages[id] ?? [])))
  const byKey = createMemo(() => new Map(turns().map((turn) => [turn.key, turn])))
  /** The run in progress, while none of its messages is there. */
  const coming = (): string | undefined => {
    const runId = props.chat.state.chat?.active_run_id ?? undefined
    const has = turns().some(({ messages }) => messages[0]?.role !== 'user' && messages[0]?.run_id === runId)
    return has || props.chat.loading() === 'first' ? undefined : runId
  }
  return (
    <>
      <For each={turns().map(({ key }) => key)}>
        {(key) => (
          <Show when={byKey().get(key)}>
            {(turn) => (
              <Show
                when={turn().messages[0]?.role === 'user' ? turn().messages[0] : undefined}
                fallback={<AgentTurn chat={props.chat} messages={turn().messages} />}
              >
                {(message) => <PersonTurn chat={props.chat} message={message()} />}
              </Show>
            )}
          </Show>
        )}
      </For>
      <Show when={coming()}>{(runId) => <ComingTurn chat={props.chat} runId={runId()} />}</Show>
    </>
  )
}

/** A person's message alone, and all messages of an agent that follow each other in one run. */
function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: { key: string; messages: Message[] }[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    const joins = message.role !== 'user' && last?.messages[0]?.role !== 'user' && last?.messages[0]?.run_id === message.run_id
    if (joins) last?.messages.push(message)
    else turns.push({ key: message.id, messages: [message] })
  }
  return turns
}
