import './choice-cards.css'
import { createUniqueId, For, type JSX } from 'solid-js'

/** One of several choices that need more than a word each: a name in `<b>`, and a line in `.small` that says what it means. */
export function ChoiceCards<Value extends string>(props: {
  readonly legend: string
  /** Where a heading says the same. */
  readonly isLegendHidden?: boolean
  readonly choices: readonly Value[]
  readonly value: Value
  readonly onInput: (value: Value) => void
  /** `cards` below each other, short ones as `tiles` beside each other, dozens as a `list` that scrolls. Default `cards`. */
  readonly as?: 'cards' | 'tiles' | 'list'
  /** Below the choices. */
  readonly help?: JSX.Element
  /** What stands beside the button of a choice. */
  readonly children: (value: Value) => JSX.Element
}): JSX.Element {
  const name = createUniqueId()
  return (
    <fieldset>
      <legend class={props.isLegendHidden ? 'sr' : 'lbl'}>{props.legend}</legend>
      <div class="choices" classList={{ tiles: props.as === 'tiles', list: props.as === 'list' }}>
        <For each={props.choices}>
          {(choice) => (
            <label>
              <input type="radio" name={name} checked={choice === props.value} onChange={() => props.onInput(choice)} />
              <span>{props.children(choice)}</span>
            </label>
          )}
        </For>
      </div>
      {props.help}
    </fieldset>
  )
}
