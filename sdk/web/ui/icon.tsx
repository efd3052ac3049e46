import { For, type JSX } from 'solid-js'
import { type IconName, icons } from './icons.js'

/** An icon of 16 px; decoration unless `label` names it. */
export function Icon(props: {
  readonly name: IconName
  readonly label?: string
  readonly large?: boolean
  readonly flip?: boolean
}): JSX.Element {
  return (
    <svg
      class="i"
      classList={{ 'i-20': props.large, flip: props.flip }}
      viewBox="0 0 24 24"
      role={props.label === undefined ? undefined : 'img'}
      aria-label={props.label}
      aria-hidden={props.label === undefined ? 'true' : undefined}
    >
      <For each={icons[props.name]}>{(path) => <path d={path} />}</For>
    </svg>
  )
}
