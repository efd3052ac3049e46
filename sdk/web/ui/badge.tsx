import { type JSX, Show } from 'solid-js'
import { Icon } from './icon.js'
import type { IconName } from './icons.js'
import { Mark, type MarkName } from './mark.js'

/** `line`: an outline alone. */
export type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'line'

/** A word, at most with one mark or icon. None for the normal case. */
export function Badge(props: {
  readonly tone?: Tone | undefined
  readonly mark?: MarkName
  readonly icon?: IconName
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <span class={`badge ${props.tone ?? ''}`}>
      <Show when={props.mark}>{(mark) => <Mark name={mark()} />}</Show>
      <Show when={props.icon}>{(icon) => <Icon name={icon()} />}</Show>
      {props.children}
    </span>
  )
}

/** The state of something that runs: its mark and its word. */
export function StateMark(props: { readonly mark: MarkName; readonly children: JSX.Element }): JSX.Element {
  return (
    <span class="state">
      <Mark name={props.mark} />
      {props.children}
    </span>
  )
}

const tones: Partial<Record<MarkName, Tone>> = { done: 'ok', run: 'accent', wait: 'warn', warn: 'warn', fail: 'danger' }

/** A state as a badge, coloured by its mark. */
export function StateBadge(props: { readonly mark: MarkName; readonly children: JSX.Element }): JSX.Element {
  return (
    <Badge tone={tones[props.mark]} mark={props.mark}>
      {props.children}
    </Badge>
  )
}
