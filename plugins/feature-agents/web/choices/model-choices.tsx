import { Icon, modelNamed } from '@agent-service/sdk/web'
import { createMemo, createSignal, For, type JSX, onMount, Show } from 'solid-js'
import { knownModels, recentModels } from './choices.js'
import { factsText, isFound, sectionsOf } from './model-list.js'
import { t } from './model-texts.js'
import { comparing } from './second-model.js'

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

/** The field to search in, and the models: the agent's own, those used last, the others by brand. */
export function ModelList(props: {
  readonly id: string
  readonly ownModel: string
  readonly model: string | null
  /** A second model is chosen, beside this one. */
  readonly isSecond: boolean
  /** It has its size now. */
  readonly onShown: () => void
  readonly onChoose: (value: string | null) => void
  readonly onClose: () => void
}): JSX.Element {
  let field: HTMLInputElement | undefined
  const [query, setQuery] = createSignal('')
  const [shown, setShown] = createSignal(pageSize)
  const [active, setActive] = createSignal(0)
  const offered = () => (props.isSecond ? knownModels().filter(({ name }) => name !== (props.model ?? props.ownModel)) : knownModels())
  const sections = createMemo((): readonly Section[] => [
    ...(props.isSecond ? [] : ownSection(props.ownModel, props.model, query())),
    ...sectionsOf(offered(), query(), recentModels()).map(({ heading, models }) => ({
      heading,
      options: models.map(({ group, title, beside }) => ({
        value: group.name,
        title,
        beside,
        facts: factsText(group),
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
  onMount(() => {
    props.onShown()
    field?.focus()
    go(
      Math.max(
        0,
        all().findIndex(({ value }) => value === props.model),
      ),
    )
  })
  return (
    <>
      <div class="model-find">
        <Icon name="search" />
        <input
          ref={(element) => {
            field = element
          }}
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={props.id}
          aria-activedescendant={all().length > 0 ? idOf(active()) : undefined}
          aria-autocomplete="list"
          aria-label={t(props.isSecond ? 'find_second' : 'find')}
          placeholder={t(props.isSecond ? 'find_second' : 'find')}
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
                    place={places().get(option) ?? 0}
                    count={all().length}
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
  readonly place: number
  readonly count: number
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
      aria-setsize={props.count}
      aria-posinset={props.place + 1}
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
            value: null,
            title: t('as_agent', { model: own?.title ?? t('unknown') }),
            beside: undefined,
            facts: own ? factsText(own) : '',
          },
        ]
      : []),
    ...(query.trim() === '' && knownModels().length > 1
      ? [{ value: comparing, title: t('compare'), beside: undefined, facts: t('compare_facts') }]
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
