import { createEffect, type JSX, on, onCleanup } from 'solid-js'
import type { ChatState } from '../../live-chat/chat-state.js'

import type { Heights } from '../../turns/heights.js'

/** How far from what is seen, in pixels, turns stay in the page. */
const reach = 12_000
/** What a person is at, or what would not come back as it was. */
const inUse = ':focus, textarea, details[open], audio, video, .ask'

/**
 * Keeps the page small however far a person scrolls: turns far from what is seen leave their heights behind, so that
 * nothing moves, and are made again when they come near. Shows nothing itself.
 */
export function FarTurns(props: {
  readonly chat: ChatState
  /** The element that scrolls. */
  readonly scroll: Element
  readonly heights: Heights
  readonly onChange: (heights: Heights) => void
}): JSX.Element {
  const look = (entries: readonly IntersectionObserverEntry[]): void => {
    const heights = new Map(props.heights)
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const key = target.getAttribute('data-messages')?.split(' ')[0] ?? ''
      if (key === '' || !target.isConnected) continue
      if (isIntersecting) heights.delete(key)
      else if (!target.matches(inUse) && target.querySelector(inUse) === null) heights.set(key, boundingClientRect.height)
    }
    props.onChange(heights)
    watch()
  }
  const observer = new IntersectionObserver(look, { root: props.scroll, rootMargin: `${reach}px 0px` })
  const watch = (): void => {
    for (const turn of props.scroll.querySelectorAll('.turn')) observer.observe(turn)
  }
  createEffect(on(() => props.chat.state.order.length, watch))
  onCleanup(() => {
    observer.disconnect()
    props.onChange(new Map())
  })
  return null
}
