import { createSignal } from 'solid-js'
import type { Schemas } from '../api/index.js'

type Print = (chat: Schemas['Chat']) => Promise<void>

const [printer, setPrinter] = createSignal<Print>()

/** Prints a chat, once something in the console can. */
export { printer }

/** Offers the printing of chats in their menus. */
export const offerPrinting = (print: Print): void => void setPrinter(() => print)
