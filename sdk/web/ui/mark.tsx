import { type JSX, Match, Switch } from 'solid-js'

/** The states of work; each has a shape of its own, the same everywhere. */
export type MarkName = 'done' | 'run' | 'wait' | 'warn' | 'fail' | 'pause' | 'off' | 'think' | 'next' | 'dot' | 'logo'

/** A mark of 16 px. Put the word beside it, or pass it as `label`. */
export function Mark(props: { readonly name: MarkName; readonly label?: string | undefined; readonly quiet?: boolean }): JSX.Element {
  return (
    <svg
      class={`m m-${props.name}`}
      classList={{ quiet: props.quiet }}
      viewBox="0 0 16 16"
      role={props.label === undefined ? undefined : 'img'}
      aria-label={props.label}
      aria-hidden={props.label === undefined ? 'true' : undefined}
    >
      <Switch>
        <Match when={props.name === 'done'}>
          <circle cx="8" cy="8" r="7" />
          <path class="m-cut" d="M5 8.3l2.1 2.1L11 6.2" />
        </Match>
        <Match when={props.name === 'run'}>
          <circle class="m-line" cx="8" cy="8" r="6" opacity=".32" />
          <path class="m-line" stroke-width="2" d="M8 2a6 6 0 0 1 6 6" />
        </Match>
        <Match when={props.name === 'wait'}>
          <rect x="3" y="3" width="10" height="10" rx="1.5" transform="rotate(45 8 8)" />
          <path class="m-cut" d="M8 4.9v3.6M8 10.9v.01" />
        </Match>
        <Match when={props.name === 'warn'}>
          <path d="M8 1.4c.5 0 .9.2 1.2.7l5.6 10.1c.5 1-.1 2.2-1.2 2.2H2.4c-1.1 0-1.7-1.2-1.2-2.2L6.8 2.1C7.1 1.6 7.5 1.4 8 1.4z" />
          <path class="m-cut" d="M8 5.6V9M8 11.6v.01" />
        </Match>
        <Match when={props.name === 'fail'}>
          <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" />
          <path class="m-cut" d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6" />
        </Match>
        <Match when={props.name === 'pause'}>
          <circle class="m-line" cx="8" cy="8" r="6.2" />
          <path class="m-line" d="M6.4 5.7v4.6M9.6 5.7v4.6" />
        </Match>
        <Match when={props.name === 'off'}>
          <circle class="m-line" cx="8" cy="8" r="6" />
        </Match>
        <Match when={props.name === 'think'}>
          <circle class="m-line" cx="8" cy="8" r="6" stroke-dasharray="1.2 2.57" />
        </Match>
        <Match when={props.name === 'next'}>
          <circle class="m-line" cx="8" cy="8" r="6" />
          <circle cx="8" cy="8" r="2.4" />
        </Match>
        <Match when={props.name === 'dot'}>
          <circle cx="8" cy="8" r="3" />
        </Match>
        <Match when={props.name === 'logo'}>
          <circle cx="8" cy="3" r="2.25" />
          <path class="m-line" d="M8 6v4" />
          <circle class="m-line" cx="8" cy="12.5" r="3" />
        </Match>
      </Switch>
    </svg>
  )
}
