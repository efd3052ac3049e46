import { Button, Icon, IconButton } from '@agent-service/sdk/web'
import { createSignal, createUniqueId, For, Index, type JSX, Match, Show, Switch } from 'solid-js'
import { type FieldsOf, type Item, type ItemField, textTyped, valueTyped } from '../model/items.js'
import { t } from '../words/texts.js'
import { TitleText } from './title-text.js'

/** A list of objects: one row each, in their order, with a field for each member. */
export function ItemsControl(props: {
  readonly items: readonly Item[]
  readonly fieldsOf: FieldsOf
  readonly onInput: (items: readonly Item[]) => void
}): JSX.Element {
  // Fields that are shown although they are not set; they move with their entry.
  const [opened, setOpened] = createSignal<readonly (readonly string[])[]>([])
  const openedAt = (index: number): readonly string[] => opened()[index] ?? []
  const replace = (index: number, item: Item): void => props.onInput(props.items.map((each, at) => (at === index ? item : each)))
  const move = (index: number, by: number): void => {
    const order: number[] = props.items.map((_, at) => at)
    order.splice(index + by, 0, ...order.splice(index, 1))
    keep(order)
  }
  /** The entries at these places, in this order. */
  const keep = (order: readonly number[]): void => {
    setOpened(order.map(openedAt))
    props.onInput(order.map((at) => props.items[at] ?? {}))
  }
  const open = (index: number, name: string): void =>
    void setOpened(props.items.map((_, at) => (at === index ? [...openedAt(at).filter((other) => other !== name), name] : openedAt(at))))
  return (
    <div class="settings-items">
      <Index each={props.items}>
        {(item, index) => (
          <fieldset class="settings-item">
            <legend class="sr">{t('item', { number: index + 1 })}</legend>
            <div class="row">
              <span class="grow meta">{t('item', { number: index + 1 })}</span>
              <Show when={props.items.length > 1}>
                <IconButton
                  icon="arrow-up"
                  size="small"
                  name={t('item_up', { number: index + 1 })}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
              </Show>
              <IconButton
                icon="trash"
                size="small"
                name={t('item_remove', { number: index + 1 })}
                onClick={() => keep(props.items.flatMap((_, at) => (at === index ? [] : at)))}
              />
            </div>
            <Fields
              item={item()}
              fields={props.fieldsOf(item())}
              opened={openedAt(index)}
              onOpen={(name) => open(index, name)}
              onInput={(next) => replace(index, next)}
            />
          </fieldset>
        )}
      </Index>
      <Button size="small" icon="plus" onClick={() => props.onInput([...props.items, {}])}>
        {t('item_add')}
      </Button>
    </div>
  )
}

function Fields(props: {
  readonly item: Item
  readonly fields: readonly ItemField[]
  readonly opened: readonly string[]
  readonly onOpen: (name: string) => void
  readonly onInput: (item: Item) => void
}): JSX.Element {
  const isShown = ({ name, isMain }: ItemField): boolean => isMain || props.item[name] !== undefined || props.opened.includes(name)
  const shown = () => props.fields.filter(isShown)
  const more = () => props.fields.filter((field) => !isShown(field))
  const others = (): readonly string[] => Object.keys(props.item).filter((name) => !props.fields.some((field) => field.name === name))
  const set = (field: ItemField, text: string): void => {
    const { [field.name]: _, ...rest } = props.item
    const value = valueTyped(field, text)
    props.onOpen(field.name)
    props.onInput(value === undefined ? rest : { ...rest, [field.name]: value })
  }
  return (
    <>
      <For each={shown().map(({ name }) => name)}>
        {(name) => (
          <Show when={props.fields.find((field) => field.name === name)}>
            {(field) => <Field field={field()} value={textTyped(props.item[name])} onInput={(text) => set(field(), text)} />}
          </Show>
        )}
      </For>
      <Show when={more().length > 0}>
        <span class="in">
          <select
            aria-label={t('item_more')}
            onChange={(event) => {
              const name = event.currentTarget.value
              event.currentTarget.value = ''
              props.onOpen(name)
            }}
          >
            <option value="">{t('item_more')}</option>
            <For each={more()}>{(field) => <option value={field.name}>{field.title.text}</option>}</For>
          </select>
          <Icon name="chevron-down" />
        </span>
      </Show>
      <Show when={others().length > 0}>
        <p class="help">{t('item_others', { names: others().join(', ') })}</p>
      </Show>
    </>
  )
}

function Field(props: { readonly field: ItemField; readonly value: string; readonly onInput: (text: string) => void }): JSX.Element {
  const id = createUniqueId()
  const common = {
    id,
    get title() {
      return props.field.help.text
    },
  }
  const choices = (): readonly (readonly [string, string])[] =>
    props.field.kind === 'boolean'
      ? [['true', t('yes')] as const, ['false', t('no')] as const]
      : props.field.choices.map((choice) => [choice, choice] as const)
  return (
    <div class="settings-item-field">
      <label for={id}>
        <TitleText title={props.field.title} />
      </label>
      <span class="in" classList={{ area: props.field.kind === 'lines' }}>
        <Switch
          fallback={
            <input
              {...common}
              type="text"
              value={props.value}
              placeholder={props.field.placeholder}
              inputmode={props.field.kind === 'number' ? 'decimal' : 'text'}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => props.onInput(event.currentTarget.value)}
            />
          }
        >
          <Match when={props.field.kind === 'lines'}>
            <textarea
              {...common}
              rows={2}
              value={props.value}
              placeholder={t('lines_help')}
              spellcheck={false}
              onChange={(event) => props.onInput(event.currentTarget.value)}
            />
          </Match>
          <Match when={props.field.kind === 'boolean' || props.field.kind === 'choice'}>
            <select {...common} onChange={(event) => props.onInput(event.currentTarget.value)}>
              <option value="" selected={props.value === ''}>
                {t('not_set')}
              </option>
              <For each={choices()}>
                {([value, label]) => (
                  <option value={value} selected={value === props.value}>
                    {label}
                  </option>
                )}
              </For>
            </select>
            <Icon name="chevron-down" />
          </Match>
        </Switch>
      </span>
    </div>
  )
}
