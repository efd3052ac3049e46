import { type JSX, Show } from 'solid-js'

/** The frame of a screen with a title: head with actions, then the content. */
export function Page(props: {
  readonly title: string
  readonly lead?: JSX.Element
  /** Buttons at the end of the head. */
  readonly actions?: JSX.Element
  /** As wide as forms are. */
  readonly form?: boolean
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <div class="page" classList={{ form: props.form }}>
      <header class="page-head">
        <div>
          <h1 class="title" tabindex="-1">
            {props.title}
          </h1>
          <Show when={props.lead}>
            <p>{props.lead}</p>
          </Show>
        </div>
        <Show when={props.actions}>
          <div class="row">{props.actions}</div>
        </Show>
      </header>
      {props.children}
    </div>
  )
}
