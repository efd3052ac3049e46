import { createSignal } from 'solid-js'

const [count, setCount] = createSignal(0)

/** How many notifications of the person are unread, as far as this tab knows. */
export const unread = count
export const noteUnread = (now: number): void => void setCount(now)
