import './model-picker.css'
import { Icon, lazyPart, loadPart, modelNamed, namedModels, placeBeside } from '@agent-service/sdk/web'
import { createSignal, createUniqueId, type JSX, onMount, Show } from 'solid-js'
import { knownModels, noteModel, readChoices } from './choices.js'
import { t } from './model-texts.js'
import { comparing } from './second-model.js'

const ModelList = lazyPart(
  () => import('./model-choices.js'),
  (module) => module.ModelList,
)

/** A button with the name of the model; it opens a list that can be searched. */
export function ModelPicker(props: {
  /** The model group of the agent. */
  readonly ownModel: string
  readonly model: string | null
  readonly onModel: (model: string | null) => void
  /** Takes a second model, which answers as well. */
  readonly onSecond: (model: string) => void
}): JSX.Element {
  const id = createUniqueId()
  const [isOpen, setIsOpen] = createSignal(false)
  const [isSecond, setIsSecond] = createSignal(false)
  let opener: HTMLButtonElement | undefined
  let popover: HTMLDivElement | undefined
  const chosenTitle = (): string => {
    if (props.model === null) return modelNamed(knownModels(), props.ownModel)?.title ?? t('unknown')
    const chosen = namedModels(knownModels()).find(({ group }) => group.name === props.model)
    return [chosen?.title ?? props.model, chosen?.beside ?? []].flat().join(' ')
  }
  const place = (): void => {
    if (opener && popover) placeBeside(opener, popover)
  }
  // Loaded ahead, so that keys typed right after opening reach the field. Opening it tries again and reports a failure.
  onMount(() => void loadPart(() => import('./model-choices.js')).catch(() => undefined))
  const open = (): void => {
    void readChoices()
    setIsSecond(false)
    // First, since what is not shown takes no focus.
    popover?.showPopover()
    setIsOpen(true)
  }
  const close = (): void => {
    popover?.hidePopover()
    opener?.focus()
  }
  const choose = (value: string | null): void => {
    if (value === comparing) return void setIsSecond(true)
    close()
    if (value !== null) noteModel(value)
    if (isSecond()) props.onSecond(value ?? props.ownModel)
    else if (value !== props.model) props.onModel(value)
  }
  return (
    <>
      <button
        ref={(element) => {
          opener = element
        }}
        type="button"
        class="pick-model"
        aria-haspopup="dialog"
        aria-expanded={isOpen()}
        aria-label={t('choose', { model: chosenTitle() })}
        title={t('choose', { model: chosenTitle() })}
        onClick={open}
      >
        <span class="cut">{chosenTitle()}</span>
        <Icon name="chevron-down" />
      </button>
      <div
        ref={(element) => {
          popover = element
        }}
        class="menu-pop model-pop"
        popover="auto"
        role="dialog"
        aria-label={t('model')}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <Show when={isOpen()}>
          <Show when={isSecond() ? 'second' : 'first'} keyed>
            {(_) => (
              <ModelList
                id={id}
                ownModel={props.ownModel}
                model={props.model}
                isSecond={isSecond()}
                onShown={place}
                onChoose={choose}
                onClose={close}
              />
            )}
          </Show>
        </Show>
      </div>
    </>
  )
}
