import { batch, onCleanup } from 'solid-js'
import { type EventName, type EventOf, onEvent } from '../api/index.js'

const maxHeld = 10_000

const names = [
  ...([
    'chat.updated',
    'chat.deleted',
    'message.created',
    'message.updated',
    'text.delta',
    'reasoning.delta',
    'tool_call.started',
    'tool_call.delta',
  ] as const),
  ...([
    'tool_call.finished',
    'approval.requested',
    'approval.resolved',
    'run.started',
    'run.retrying',
    'run.fallback',
    'run.reduced',
  ] as const),
  ...(['run.stopping', 'run.completed', 'run.failed', 'run.cancelled', 'usage.recorded'] as const),
] satisfies readonly EventName[]

/** An event of a chat. */
export type ChatEvent = EventOf<(typeof names)[number]>

/** The events that say of a run in progress that something of it has come. */
const tellingNames: ReadonlySet<EventName> = new Set([
  ...(['run.started', 'run.retrying', 'run.fallback', 'run.reduced', 'text.delta', 'reasoning.delta'] as const),
  ...(['tool_call.started', 'tool_call.delta', 'tool_call.finished', 'approval.resolved'] as const),
])

export const isTelling = ({ event }: ChatEvent): boolean => tellingNames.has(event)

/**
 * What is read beside the page of messages, perhaps earlier than its position: these events hold
 * whole states, so the last one counts however often they are applied.
 */
const besideNames: ReadonlySet<EventName> = new Set(['chat.updated', 'chat.deleted', 'approval.requested', 'approval.resolved'])
const isBeside = ({ event }: ChatEvent): boolean => besideNames.has(event)

/** Follows the events of a chat. What arrives while a page is read is held until it is there; at first they are held. */
export function followChat(chatId: string, apply: (event: ChatEvent) => void) {
  let held: ChatEvent[] | undefined = []
  for (const name of names)
    onCleanup(
      onEvent(name, (event) => {
        if ((event.data as { readonly chat_id?: string }).chat_id !== chatId) return
        if (!held) return batch(() => apply(event))
        held.push(event)
        if (held.length > maxHeld) held.shift()
      }),
    )
  return {
    hold: (): void => {
      held ??= []
    },
    isHeld: (): boolean => held !== undefined,
    /** Applies what was held and is newer than the page, whose newest event was `position`. */
    release(position: number): void {
      const late = held ?? []
      held = undefined
      for (const event of late) if (isBeside(event) || event.id === '' || Number(event.id) > position) apply(event)
    },
  }
}
