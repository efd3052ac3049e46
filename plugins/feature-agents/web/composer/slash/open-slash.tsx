import { createSignal, Show } from 'solid-js'
import type { Slash, SlashHost } from './slash-host.js'
import { SlashList } from './slash-list.js'
import { type TypedCommand, typedCommand } from './typed-command.js'

/** Follows what is typed: which command it is, and whether its list is open. */
export function openSlash(host: SlashHost): Slash {
  const [command, setCommand] = createSignal<TypedCommand>()
  const [active, setActive] = createSignal<{ readonly list: string; readonly option: string }>()
  let takeKey: ((event: KeyboardEvent) => boolean) | undefined
  /** After Escape nothing opens until the command is gone. */
  let isDismissed = false
  const close = (): void => {
    setCommand(undefined)
    setActive(undefined)
  }
  const commandNow = (): TypedCommand | undefined => {
    const field = host.field()
    return field && field.selectionStart === field.selectionEnd ? typedCommand(field.value, field.selectionStart) : undefined
  }
  return {
    look() {
      const now = commandNow()
      if (!now) isDismissed = false
      if (!now || isDismissed) close()
      else setCommand(now)
    },
    close,
    takesKey(event) {
      if (!command() || event.altKey || event.ctrlKey || event.metaKey) return false
      // The caret may have been moved elsewhere since.
      const isLeft = commandNow() === undefined
      if (!isLeft && event.key !== 'Escape') return takeKey?.(event) ?? false
      isDismissed = !isLeft
      close()
      return !isLeft
    },
    listId: () => active()?.list,
    activeId: () => active()?.option,
    list: () => (
      <Show when={command()}>
        <SlashList
          command={command}
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
