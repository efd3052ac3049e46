import { createUniqueId, For, type JSX, Show } from 'solid-js'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly count?: number
}

/** Tabs over panels: arrows move, the panel follows. */
export function Tabs<Id extends string>(props: {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly current: Id
  readonly onSelect: (id: Id) => void
  readonly children: JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  let list: HTMLDivElement | undefined
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const signed = getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? -step : step
    const index = props.tabs.findIndex((tab) => tab.id === props.current)
    const next = props.tabs[(index + signed + props.tabs.length) % props.tabs.length]
    if (!next) return
    props.onSelect(next.id)
    list?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label={props.label}
        onKeyDown={move}
        ref={(element) => {
          list = element
        }}
      >
        <For each={props.tabs}>
          {(tab) => (
            <button
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              data-tab={tab.id}
              aria-selected={tab.id === props.current}
              aria-controls={`${id}-panel`}
              tabindex={tab.id === props.current ? 0 : -1}
              onClick={() => props.onSelect(tab.id)}
            >
              {tab.label}
              <Show when={tab.count !== undefined}>
                <span class="count">{tab.count}</span>
              </Show>
            </button>
          )}
        </For>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${props.current}`}>
        {props.children}
      </div>
    </>
  )
}

/** Two to four values of one filter. */
export function Segments<Value extends string>(props: {
  readonly label: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onInput: (value: Value) => void
}): JSX.Element {
  const name = createUniqueId()
  return (
    <span class="seg" role="radiogroup" aria-label={props.label}>
      <For each={props.choices}>
        {(choice) => (
          <label>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === props.value}
              onChange={() => props.onInput(choice.value)}
            />
            {choice.label}
          </label>
        )}
      </For>
    </span>
  )
}
