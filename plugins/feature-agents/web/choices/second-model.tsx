import { Icon } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { knownModels } from './choices.js'
import { t } from './model-texts.js'

/** What stands for “Compare with…” among the names of models; no group is called so. */
export const comparing = ' '

/** The model group that answers the next message as well, by where that is written: a chat’s id, or the start page. */
const [seconds, setSeconds] = createSignal<Readonly<Record<string, string | undefined>>>({})

export const setSecondModel = (place: string, model: string | undefined): void =>
  void setSeconds((before) => ({ ...before, [place]: model }))

/** The second model for a message that is sent now; the one after it is answered by one model again. */
export function takeSecondModel(place: string): string | undefined {
  const model = seconds()[place]
  setSecondModel(place, undefined)
  return model
}

/** With which model the next message is compared; a click takes that back. */
export function SecondModel(props: { readonly place: string }): JSX.Element {
  return (
    <Show when={seconds()[props.place]}>
      {(name) => {
        const model = () => knownModels().find((each) => each.name === name())
        const words = (): string => model()?.title ?? `${name()}: ${t('gone')}`
        return (
          <button
            type="button"
            class="pick-model pick-second"
            classList={{ danger: model() === undefined }}
            aria-label={t('do_not_compare', { model: words() })}
            title={t('compared', { model: words() })}
            onClick={() => setSecondModel(props.place, undefined)}
          >
            <Icon name="arrows-diff" />
            <span class="cut">{words()}</span>
            <Icon name="x" />
          </button>
        )
      }}
    </Show>
  )
}
