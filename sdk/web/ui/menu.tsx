import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { IconButton } from './button.js'
import { Icon } from './icon.js'
import type { IconName } from './icons.js'
import { addEntryKeys } from './list-keys.js'

/** An entry of a menu. */
export interface MenuItem {
  /** What it does, verb first. */
  readonly label: string
  /** Before the label. */
  readonly icon?: IconName
  /** In red: for what deletes. Default: false. */
  readonly danger?: boolean
  /** Whether it is the chosen one of several. */
  readonly checked?: boolean
  /** The heading above the first item of several that belong together. */
  readonly group?: string
  /** Called after the menu has closed and the focus is back on its button. */
  readonly run: () => void
}

/** Puts an open popover below its button, or above where there is more room; it grows away from the button. */
export function placeBeside(opener: HTMLElement, popover: HTMLElement): void {
  const [button, list] = [opener.getBoundingClientRect(), popover.getBoundingClientRect()]
  const below = button.bottom + 4 + list.height < innerHeight || button.top - list.height - 4 < 0
  const isRight = (button.left + button.right) / 2 > innerWidth / 2
  const start = isRight ? button.right - list.width : button.left
  popover.style.setProperty('top', below ? `${button.bottom + 4}px` : 'auto')
  popover.style.setProperty('bottom', below ? 'auto' : `${innerHeight - button.top + 4}px`)
  popover.style.setProperty('left', `${Math.max(8, Math.min(start, innerWidth - list.width - 8))}px`)
}

/** A button that opens a list of actions: arrows and letters move, Escape closes, the focus returns. */
export function MenuButton(props: {
  readonly name: string
  readonly icon?: IconName
  readonly items: readonly MenuItem[]
  readonly size?: 'small'
  /** Another button than the icon; gets what it must be given. */
  readonly button?: (open: (event: MouseEvent) => void) => JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  let menu: HTMLDivElement | undefined
  let opener: HTMLElement | undefined
  const entries = (): readonly HTMLElement[] => [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
  const open = (event: MouseEvent): void => {
    opener = event.currentTarget as HTMLElement
    menu?.showPopover()
    if (menu) placeBeside(opener, menu)
    entries()[0]?.focus()
  }
  const close = (): void => {
    menu?.hidePopover()
    opener?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') close()
  }
  return (
    <>
      <Show
        when={props.button}
        fallback={
          <IconButton
            icon={props.icon ?? 'dots'}
            name={props.name}
            hasPopup="menu"
            {...(props.size && { size: props.size })}
            onClick={open}
          />
        }
      >
        {(button) => button()(open)}
      </Show>
      <div
        id={id}
        ref={(element) => {
          menu = element
          addEntryKeys(element, { entries, wraps: true })
        }}
        class="menu-pop"
        role="menu"
        popover="auto"
        aria-label={props.name}
        onKeyDown={onKeyDown}
      >
        <For each={props.items}>
          {(item, index) => (
            <>
              <Show when={item.group !== undefined && item.group !== props.items[index() - 1]?.group}>
                <div class="menu-group" role="presentation">
                  {item.group}
                </div>
              </Show>
              {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: a radio item of a menu is checked */}
              <button
                type="button"
                role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked={item.checked}
                classList={{ danger: item.danger }}
                tabindex="-1"
                onClick={() => {
                  close()
                  item.run()
                }}
              >
                <Show when={item.icon}>{(icon) => <Icon name={icon()} />}</Show>
                <span class="grow">{item.label}</span>
                <Show when={item.checked}>
                  <Icon name="check" />
                </Show>
              </button>
            </>
          )}
        </For>
      </div>
    </>
  )
}
