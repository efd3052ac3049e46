import './model-picker.css'
import { createMemo, createSignal, createUniqueId, For, type JSX, onMount, Show } from 'solid-js'
import { Icon } from '../../../ui/icon.js'
import { placeBeside } from '../../../ui/menu.js'
import { modelNamed, namedModels } from '../../../ui/model-names.js'
import { knownModels, noteModel, readChoices, recentModels } from './choices.js'
import { factsText, isFound, sectionsOf } from './model-list.js'
import { t } from './model-texts.js'

/** How many models are in the list at a time; more come at its end. */
const pageSize = 60

/** One entry of the list. `value` null: the agent's own model. */
interface Option {
  readonly value: string | null
  readonly title: string
  readonly beside: string | undefined
  readonly facts: string
}

interface Section {
  readonly heading: string | undefined
  readonly options: readonly Option[]
}

/** A button with the name of the model; it opens a list that can be searched. */
export function ModelPicker(props: {
  /** The model group of the agent. */
  readonly ownModel: string
  readonly model: string | null
  readonly onModel: (model: string | null) => void
}): JSX.Element {
  const id = createUniqueId()
  const [isOpen, setIsOpen] = createSignal(false)
  let opener: HTMLButtonElement | undefined
  let popover: HTMLDivElement | undefined
  const chosenTitle = (): string => {
    if (props.model === null) return modelNamed(knownModels(), props.ownModel)?.title ?? t('unknown')
    const chosen = namedModels(knownModels()).find(({ group }) => group.name === props.model)
    return [chosen?.title ?? props.model, chosen?.beside ?? []].flat().join(' ')
  }
  const open = (): void => {
    void readChoices()
    setIsOpen(true)
    popover?.showPopover()
    if (opener && popover) placeBeside(opener, popover)
    popover?.querySelector('input')?.focus()
  }
  const close = (): void => {
    popover?.hidePopover()
    opener?.focus()
  }
  const choose = (value: string | null): void => {
    close()
    if (value !== null) noteModel(value)
    if (value !== props.model) props.onModel(value)
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
          <ModelList id={id} ownModel={props.ownModel} model={props.model} onChoose={choose} onClose={close} />
        </Show>
      </div>
    </>
  )
}

/** The field to search in, and the models: the agent's own, those used last, the others by brand. */
function ModelList(props: {
  readonly id: string
  readonly ownModel: string
  readonly model: string | null
  readonly onChoose: (value: string | null) => void
  readonly onClose: () => void
}): JSX.Element {
  const [query, setQuery] = createSignal('')
  const [shown, setShown] = createSignal(pageSize)
  const [active, setActive] = createSignal(0)
  const sections = createMemo((): readonly Section[] => [
    ...ownSection(props.ownModel, props.model, query()),
    ...sectionsOf(knownModels(), query(), recentModels()).map(({ heading, models }) => ({
      heading,
      options: models.map(({ group, title, beside }) => ({
        ...{ value: group.name, title, beside, facts: factsText(group) },
      })),
    })),
  ])
  const all = createMemo(() => sections().flatMap(({ options }) => options))
  const visible = createMemo(() => firstOf(sections(), shown()))
  const places = createMemo(() => new Map(all().map((option, place) => [option, place])))
  const idOf = (place: number): string => `${props.id}-${place}`
  const search = (text: string): void => {
    setQuery(text)
    setShown(pageSize)
    setActive(0)
  }
  const go = (place: number): void => {
    const count = all().length
    if (count === 0) return
    const next = (place + count) % count
    if (next >= shown()) setShown(next + pageSize)
    setActive(next)
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = all().length - 1
    const places: Readonly<Record<string, number>> = {
      ArrowDown: active() + 1,
      ArrowUp: active() - 1,
      PageDown: Math.min(last, active() + 8),
      PageUp: Math.max(0, active() - 8),
    }
    const next = places[event.key]
    const chosen = all()[active()]
    if (event.key === 'Tab' || event.key === 'Escape') props.onClose()
    else if (event.key === 'Enter' && chosen) props.onChoose(chosen.value)
    else if (next !== undefined) go(next)
    if (event.key !== 'Tab' && (next !== undefined || ['Enter', 'Escape'].includes(event.key))) event.preventDefault()
  }
  const addPage = (list: HTMLElement): void => {
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 200 && shown() < all().length) setShown((before) => before + pageSize)
  }
  onMount(() =>
    go(
      Math.max(
        0,
        all().findIndex(({ value }) => value === props.model),
      ),
    ),
  )
  return (
    <>
      <div class="model-find">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={props.id}
          aria-activedescendant={all().length > 0 ? idOf(active()) : undefined}
          aria-autocomplete="list"
          aria-label={t('find')}
          placeholder={t('find')}
          autocomplete="off"
          spellcheck={false}
          value={query()}
          onInput={(event) => search(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={props.id} class="model-list" role="listbox" aria-label={t('model')} onScroll={(event) => addPage(event.currentTarget)}>
        <For each={visible()}>
          {({ heading, options }) => (
            // biome-ignore lint/a11y/useSemanticElements: options of a list box in a group are no fields
            <div role="group" aria-label={heading ?? t('model')}>
              <Show when={heading}>
                <div class="menu-group" role="presentation">
                  {heading}
                </div>
              </Show>
              <For each={options}>
                {(option) => (
                  <ModelOption
                    option={option}
                    id={idOf(places().get(option) ?? 0)}
                    active={places().get(option) === active()}
                    checked={option.value === props.model}
                    onActive={() => setActive(places().get(option) ?? 0)}
                    onChoose={() => props.onChoose(option.value)}
                  />
                )}
              </For>
            </div>
          )}
        </For>
      </div>
      <Show when={all().length === 0}>
        <p class="model-none small t2">{t('none_found')}</p>
      </Show>
      <p class="sr" role="status">
        {t('count', { count: all().length })}
      </p>
    </>
  )
}

function ModelOption(props: {
  readonly option: Option
  readonly id: string
  readonly active: boolean
  readonly checked: boolean
  readonly onActive: () => void
  readonly onChoose: () => void
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={props.id}
      role="option"
      aria-selected={props.checked}
      classList={{ active: props.active }}
      onPointerMove={() => props.active || props.onActive()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => props.onChoose()}
    >
      <span class="model-words">
        <span>
          <bdi>{props.option.title}</bdi>
          <Show when={props.option.beside}>{(beside) => <span class="t3"> {beside()}</span>}</Show>
        </span>
        <span class="meta">{props.option.facts}</span>
      </span>
      <Show when={props.checked}>
        <Icon name="check" />
      </Show>
    </div>
  )
}

/** The agent's own model, and a chosen one that is not there any more. */
function ownSection(ownModel: string, model: string | null, query: string): readonly Section[] {
  const own = modelNamed(knownModels(), ownModel)
  const isGone = model !== null && !knownModels().some(({ name }) => name === model)
  const options: readonly Option[] = [
    ...(query.trim() === '' || (own && isFound(own, query))
      ? [
          {
            ...{ value: null, title: t('as_agent', { model: own?.title ?? t('unknown') }), beside: undefined },
            facts: own ? factsText(own) : '',
          },
        ]
      : []),
    ...(isGone && query.trim() === '' ? [{ value: model, title: model, beside: undefined, facts: t('gone') }] : []),
  ]
  return options.length === 0 ? [] : [{ heading: undefined, options }]
}

/** The sections with their first options, up to a number of them. */
function firstOf(sections: readonly Section[], count: number): readonly Section[] {
  let left = count
  return sections.flatMap((section) => {
    const options = section.options.slice(0, left)
    left -= options.length
    return options.length === 0 ? [] : [options.length === section.options.length ? section : { ...section, options }]
  })
}
