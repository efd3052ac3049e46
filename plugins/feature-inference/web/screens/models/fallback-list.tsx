import { announce, Button, IconButton } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import type { Providers } from '../../providers/read-providers.js'
import { emptyTarget, moved, type Target } from './group.js'
import { TargetFields } from './target-fields.js'
import { t } from './texts.js'

const maxFallbacks = 10

/**
 * The fallbacks in the order in which they are tried. Alt with the arrow keys moves the one with
 * the focus, as the buttons do.
 */
export function FallbackList(props: {
  readonly fallbacks: readonly { readonly key: number; readonly target: Target }[]
  readonly found: Providers
  readonly errorOf: (index: number, member: string) => string | undefined
  readonly onChange: (fallbacks: readonly { readonly key: number; readonly target: Target }[]) => void
  readonly nextKey: () => number
}): JSX.Element {
  let list: HTMLOListElement | undefined
  const focus = (key: number, control: string): void =>
    void setTimeout(() => {
      const item = list?.querySelector(`[data-key="${key}"]`)
      const wanted = item?.querySelector<HTMLButtonElement>(`[data-move="${control}"] button:not(:disabled)`)
      ;(wanted ?? item?.querySelector<HTMLButtonElement>('[data-move] button:not(:disabled)'))?.focus()
    })
  const move = (index: number, step: -1 | 1, control: string): void => {
    const item = props.fallbacks[index]
    const next = moved(props.fallbacks, index, index + step)
    if (!item || next === props.fallbacks) return
    props.onChange(next)
    announce(t('moved', { model: item.target.model, position: index + step + 1 }))
    focus(item.key, control)
  }
  const change = (key: number, next: Partial<Target>): void =>
    props.onChange(props.fallbacks.map((each) => (each.key === key ? { key, target: { ...each.target, ...next } } : each)))
  return (
    <fieldset class="models-fallbacks">
      <legend>{t('fallbacks')}</legend>
      <p class="help">{t('fallbacks_help')}</p>
      <ol
        ref={(element) => {
          list = element
        }}
      >
        <For each={props.fallbacks.map(({ key }) => key)}>
          {(key, index) => {
            const target = (): Target => props.fallbacks.find((each) => each.key === key)?.target ?? emptyTarget
            return (
              <li
                data-key={key}
                onKeyDown={(event) => {
                  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                  if (!event.altKey || step === undefined) return
                  event.preventDefault()
                  move(index(), step as -1 | 1, step < 0 ? 'up' : 'down')
                }}
              >
                <div class="row models-fallback-head">
                  <b class="grow">{t('fallback', { number: index() + 1 })}</b>
                  <span data-move="up">
                    <IconButton
                      icon="chevron-up"
                      size="small"
                      name={t('move_up', { number: index() + 1 })}
                      disabled={index() === 0}
                      onClick={() => move(index(), -1, 'up')}
                    />
                  </span>
                  <span data-move="down">
                    <IconButton
                      icon="chevron-down"
                      size="small"
                      name={t('move_down', { number: index() + 1 })}
                      disabled={index() === props.fallbacks.length - 1}
                      onClick={() => move(index(), 1, 'down')}
                    />
                  </span>
                  <IconButton
                    icon="trash"
                    size="small"
                    name={t('remove_fallback', { number: index() + 1 })}
                    onClick={() => props.onChange(props.fallbacks.filter((each) => each.key !== key))}
                  />
                </div>
                <TargetFields
                  target={target()}
                  found={props.found}
                  errorOf={(member) => props.errorOf(index(), member)}
                  onChange={(next) => change(key, next)}
                />
              </li>
            )
          }}
        </For>
      </ol>
      <Show when={props.fallbacks.length < maxFallbacks}>
        <Button
          icon="plus"
          size="small"
          onClick={() => props.onChange([...props.fallbacks, { key: props.nextKey(), target: emptyTarget }])}
        >
          {t('add_fallback')}
        </Button>
      </Show>
    </fieldset>
  )
}
