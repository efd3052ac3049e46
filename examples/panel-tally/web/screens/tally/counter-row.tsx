import { IconButton, MenuButton, numberText } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import type { Counter } from './api.js'
import { t } from './texts.js'

/** One counter: its name and its number, one more, and what else can be done with it. */
export function CounterRow(props: {
  readonly counter: Counter
  readonly onCount: () => void
  readonly onRename: () => void
  readonly onDelete: () => void
}): JSX.Element {
  const name = (): string => props.counter.name
  return (
    <div class="tally-row">
      <bdi class="key">{name()}</bdi>
      <output class="tally-count">{numberText(props.counter.count)}</output>
      <IconButton icon="plus" name={t('count_up', { name: name() })} onClick={() => props.onCount()} />
      <MenuButton
        name={t('menu', { name: name() })}
        items={[
          { label: t('rename'), icon: 'pencil', run: () => props.onRename() },
          { label: t('delete'), icon: 'trash', danger: true, run: () => props.onDelete() },
        ]}
      />
    </div>
  )
}
