import { type JSX, Show } from 'solid-js'
import { Icon } from './icon.js'
import type { IconName } from './icons.js'
import { Mark } from './mark.js'

/** What a {@link Button} takes. */
export interface ButtonProps {
  /** `main`: filled, one for each view. `danger`: a red word. `confirm`: filled red, only in dialogs. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger' | 'confirm'
  /** `small` in rows and bars, `large` where a page has one thing to do. */
  readonly size?: 'small' | 'large'
  /** Before the words; a turning mark while `busy`. */
  readonly icon?: IconName
  /** The mark turns, the width stays, and clicks do nothing. The label says what happens. */
  readonly busy?: boolean
  readonly disabled?: boolean | undefined
  readonly wide?: boolean
  readonly type?: 'button' | 'submit'
  readonly onClick?: (event: MouseEvent) => void
  readonly children: JSX.Element
  /** For assistive technology, where the words alone are not enough. */
  readonly label?: string
  readonly autofocus?: boolean
  /** A reference to the element. */
  readonly ref?: (element: HTMLButtonElement) => void
  /** Of the element that it opens and closes. */
  readonly expanded?: boolean
  readonly controls?: string
}

/**
 * Says what it does, verb first. While `busy` it keeps the focus and ignores clicks, so an action cannot run twice. What goes
 * somewhere is a {@link ButtonLink}.
 *
 * @example
 * <Button kind="main" icon="plus" busy={isSaving()} onClick={() => void save()}>
 *   {t('add')}
 * </Button>
 */
export function Button(props: ButtonProps): JSX.Element {
  return (
    <button
      ref={(element) => props.ref?.(element)}
      type={props.type ?? 'button'}
      class="btn"
      classList={{
        main: props.kind === 'main',
        quiet: props.kind === 'quiet',
        bad: props.kind === 'danger',
        danger: props.kind === 'confirm',
        s: props.size === 'small',
        l: props.size === 'large',
        wide: props.wide,
      }}
      disabled={props.disabled}
      aria-disabled={props.busy ? 'true' : undefined}
      aria-busy={props.busy ? 'true' : undefined}
      aria-label={props.label}
      aria-expanded={props.expanded}
      aria-controls={props.controls}
      autofocus={props.autofocus}
      onClick={(event) => (props.busy ? event.preventDefault() : props.onClick?.(event))}
    >
      <Show when={props.busy} fallback={<Show when={props.icon}>{(icon) => <Icon name={icon()} />}</Show>}>
        <Mark name="run" />
      </Show>
      {props.children}
    </button>
  )
}

/** A button without a word: the name is for assistive technology and the tooltip. */
export function IconButton(props: {
  readonly icon: IconName
  readonly name: string
  readonly size?: 'small'
  readonly disabled?: boolean | undefined
  readonly pressed?: boolean
  readonly expanded?: boolean
  readonly hasPopup?: 'menu' | 'dialog'
  readonly class?: string
  readonly onClick?: (event: MouseEvent) => void
  readonly ref?: (element: HTMLButtonElement) => void
}): JSX.Element {
  return (
    <button
      ref={(element) => props.ref?.(element)}
      type="button"
      class={`btn quiet ico ${props.class ?? ''}`}
      classList={{ s: props.size === 'small' }}
      aria-label={props.name}
      title={props.name}
      disabled={props.disabled}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      aria-haspopup={props.hasPopup}
      onClick={(event) => props.onClick?.(event)}
    >
      <Icon name={props.icon} />
    </button>
  )
}

/** A link that looks like a button, for going somewhere. */
export function ButtonLink(props: {
  readonly href: string
  readonly kind?: 'main' | 'plain' | 'quiet'
  readonly size?: 'small' | 'large'
  readonly icon?: IconName
  readonly wide?: boolean
  readonly download?: string
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <a
      href={props.href}
      class="btn"
      classList={{
        main: props.kind === 'main',
        quiet: props.kind === 'quiet',
        s: props.size === 'small',
        l: props.size === 'large',
        wide: props.wide,
      }}
      download={props.download}
    >
      <Show when={props.icon}>{(icon) => <Icon name={icon()} />}</Show>
      {props.children}
    </a>
  )
}
