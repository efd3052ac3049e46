import { createSignal, Show } from 'solid-js'
import { type SlashPlace, slashPlace } from './place.js'
import type { Slash, SlashHost } from './slash.js'
import { SlashList } from './slash-list.js'

/** Follows what is typed: which command it is, and whether its list is open. */
export function openSlash(host: SlashHost): Slash {
  const [place, setPlace] = createSignal<SlashPlace>()
  const [active, setActive] = createSignal<{ readonly list: string; readonly option: string }>()
  let takeKey: ((event: KeyboardEvent) => boolean) | undefined
  /** After Escape nothing opens until the command is gone. */
  let isDismissed = false
  const close = (): void => {
    setPlace(undefined)
    setActive(undefined)
  }
  const placeNow = (): SlashPlace | undefined => {
    const field = host.field()
    return field && field.selectionStart === field.selectionEnd ? slashPlace(field.value, field.selectionStart) : undefined
  }
  return {
    look() {
      const now = placeNow()
      if (!now) isDismissed = false
      if (!now || isDismissed) close()
      else setPlace(now)
    },
    close,
    takesKey(event) {
      if (!place() || event.altKey || event.ctrlKey || event.metaKey) return false
      // The caret may have been moved elsewhere since.
      const isLeft = placeNow() === undefined
      if (!isLeft && event.key !== 'Escape') return takeKey?.(event) ?? false
      isDismissed = !isLeft
      close()
      return !isLeft
    },
    listId: () => active()?.list,
    activeId: () => active()?.option,
    list: () => (
      <Show when={place()}>
        <SlashList
          place={place}
          host={host}
          onActive={setActive}
          onKey={(take) => {
            takeKey = take
          }}
          onClose={close}
        />
      </Show>
    ),
  }
}
