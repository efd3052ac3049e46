import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { ChatState } from '../../live-chat/chat-state.js'
import { type Outgoing, outgoing } from '../../outbox/outbox.js'

/** How near the end, in pixels, a person counts as being there. */
const nearEnd = 40

/** Where the person is in the messages, seen from the end. */
export interface ChatEnd {
  /** Takes the element that scrolls, a reversed column: the end is at 0, and what is added there keeps the view where it is. */
  readonly attach: (scroll: HTMLElement) => void
  /** Whether the person looks at something earlier. */
  readonly isAway: Accessor<boolean>
  /** Whether something has come that they have not seen. */
  readonly hasNew: Accessor<boolean>
  /** Goes to the end, where the keyboard scrolls on: the button that led there is gone. */
  readonly goThere: () => void
}

/** Goes to the end when the person sends something in this tab, and says what comes while they are elsewhere. */
export function createChatEnd(chat: ChatState): ChatEnd {
  const [isAway, setAway] = createSignal(false)
  const [hasNew, setNew] = createSignal(false)
  let scroll: HTMLElement | undefined
  const note = (): void => {
    const away = Math.abs(scroll?.scrollTop ?? 0) > nearEnd
    setAway(away)
    if (!away) setNew(false)
  }
  const show = (): void => {
    if (scroll) scroll.scrollTop = 0
    note()
  }
  const newest = (): string => {
    const message = chat.state.messages[chat.state.order.at(-1) ?? '']
    if (!message) return ''
    const last = message.content.length - 1
    return [message.id, last, chat.texts.shown(message.id, last).length].join(' ')
  }
  createEffect(on(newest, () => setNew(isAway()), { defer: true }))
  const own = (): readonly Outgoing[] => outgoing().filter(({ chatId }) => chatId === chat.chatId)
  createEffect(
    on(
      () => own().at(-1)?.key,
      (key) => {
        // Another tab writes into the outbox, too.
        if (key !== undefined && document.hasFocus()) show()
      },
      { defer: true },
    ),
  )
  return {
    isAway,
    hasNew,
    goThere() {
      show()
      scroll?.focus({ preventScroll: true })
    },
    attach(element) {
      scroll = element
      element.addEventListener('scroll', note, { passive: true })
      onCleanup(() => element.removeEventListener('scroll', note))
    },
  }
}
