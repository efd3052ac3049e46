import { For, type JSX, Show } from 'solid-js'

/** Rows by the keys of their items. The row of an item that changes stays, with the focus and all that is open in it. */
export function KeyedRows<Item>(props: {
  readonly items: ReadonlyMap<string, Item>
  readonly label: string
  readonly children: (item: () => Item) => JSX.Element
}): JSX.Element {
  return (
    <ul class="rows" aria-label={props.label}>
      <For each={[...props.items.keys()]}>
        {(key) => <Show when={props.items.get(key)}>{(item) => <li>{props.children(item)}</li>}</Show>}
      </For>
    </ul>
  )
}
