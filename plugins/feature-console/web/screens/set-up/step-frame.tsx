import type { JSX } from 'solid-js'

/** The heading of a step, and what it is for. */
export function StepFrame(props: { readonly title: string; readonly lead: string; readonly children: JSX.Element }): JSX.Element {
  return (
    <section aria-labelledby="set-up-step">
      <h2 id="set-up-step" class="set-up-title">
        {props.title}
      </h2>
      <p class="t2 set-up-lead">{props.lead}</p>
      {props.children}
    </section>
  )
}
