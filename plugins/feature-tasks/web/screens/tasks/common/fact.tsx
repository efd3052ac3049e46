import type { JSX } from 'solid-js'

/** One line of a list of facts. */
export function Fact(props: { readonly name: string; readonly children: JSX.Element }): JSX.Element {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  )
}
