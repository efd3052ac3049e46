import { type JSX, Show } from 'solid-js'

/**
 * The frame of a screen with a title: head with actions, then the content. The title is the one `h1` of the page and gets the focus
 * when the screen is opened; headings in the content begin with `h2`.
 *
 * @example
 * export default function Table(): JSX.Element {
 *   return (
 *     <Page title={t('title')} lead={t('lead')} actions={<Button kind="main">{t('add')}</Button>}>
 *       <h2>{t('rolls')}</h2>
 *     </Page>
 *   )
 * }
 */
export function Page(props: {
  readonly title: string
  /** Below the title: what the page is for, in a sentence. */
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
