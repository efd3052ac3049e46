import { loadPart } from '@agent-service/sdk/web'
import { createSignal } from 'solid-js'
import type { Slash, SlashHost } from './slash-host.js'

/** All of it is loaded when the first slash begins a line. Without it a message is what was typed; the next key tries again. */
export function createSlash(host: SlashHost): Slash {
  const [part, setPart] = createSignal<Slash>()
  let isAsked = false
  return {
    look() {
      part()?.look()
      if (isAsked || !/^\//m.test(host.field()?.value ?? '')) return
      isAsked = true
      loadPart(() => import('./open-slash.js')).then(
        ({ openSlash }) => setPart(openSlash(host)).look(),
        () => {
          isAsked = false
        },
      )
    },
    close: () => part()?.close(),
    takesKey: (event) => part()?.takesKey(event) ?? false,
    listId: () => part()?.listId(),
    activeId: () => part()?.activeId(),
    list: () => part()?.list(),
  }
}
