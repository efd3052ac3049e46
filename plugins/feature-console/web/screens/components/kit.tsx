import { createUniqueId, type JSX } from 'solid-js'

/** One row of the page: its heading and its samples. */
export function Kit(props: { readonly title: string; readonly children: JSX.Element }): JSX.Element {
  const id = createUniqueId()
  return (
    <section class="kit" aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      <div>{props.children}</div>
    </section>
  )
}
