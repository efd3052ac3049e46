import { Badge, Button, createAction, Failure, groupTitle, Mark, MenuButton } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { TestOutcome } from '../../providers/live-test.js'
import type { Target } from './group.js'
import type { ListedGroup } from './read-models.js'
import { t } from './texts.js'

/** A group: its models in the order in which they are tried, who uses it, and a test call of each. */
export function GroupRow(props: { readonly group: ListedGroup; readonly onEdit: () => void; readonly onDelete: () => void }): JSX.Element {
  const [result, setResult] = createSignal<Schemas['ModelGroupTest']>()
  const test = createAction(async () => {
    setResult(undefined)
    setResult(await api.post('/api/admin/model-groups/{group}/test', { path: { group: props.group.name } }))
  })
  const targets = (): readonly Pick<Target, 'provider' | 'model'>[] => props.group.targets
  return (
    <div class="item providers-item models-item">
      <Mark name={props.group.isRunning ? 'dot' : 'pause'} />
      <span class="grow providers-words">
        <span class="row providers-name">
          <b>
            <bdi>{groupTitle(props.group.name)}</bdi>
          </b>
          <Show when={props.group.origin === 'environment'}>
            <Badge icon="lock">
              {props.group.lockedBy === undefined ? t('from_environment') : t('from_variable', { variable: props.group.lockedBy })}
            </Badge>
          </Show>
          <Show when={props.group.origin === 'removed'}>
            <Badge tone="warn">{t('removed_later')}</Badge>
          </Show>
          <Show when={props.group.isChanged}>
            <Badge tone="warn">{t('changed_later')}</Badge>
          </Show>
        </span>
        <ol class="models-chain">
          <For each={targets()}>
            {({ provider, model }, index) => (
              <li>
                <span class="meta">{index() === 0 ? t('first') : t('then_model')}</span> <bdi class="mono small">{model}</bdi>{' '}
                <span class="t3 small">{t('at', { provider })}</span>
              </li>
            )}
          </For>
        </ol>
        <span class="sub">{t('agents', { count: props.group.agents.length, names: props.group.agents.join(', ') })}</span>
      </span>
      <span class="row">
        <Show when={props.group.isRunning}>
          <Button
            size="small"
            busy={test.busy()}
            label={t('test_of', { name: groupTitle(props.group.name) })}
            onClick={() => void test.run()}
          >
            {t('test')}
          </Button>
        </Show>
        <Show when={props.group.origin === 'file'}>
          <MenuButton
            size="small"
            name={t('actions_of', { name: groupTitle(props.group.name) })}
            items={[
              { label: t('edit'), icon: 'pencil', run: props.onEdit },
              { label: t('delete'), icon: 'trash', danger: true, run: props.onDelete },
            ]}
          />
        </Show>
      </span>
      <Show when={test.failure()}>{(error) => <Failure error={error()} onRetry={() => void test.run()} />}</Show>
      <Show when={result()}>
        {(found) => (
          <ul class="models-test" aria-label={t('test_of', { name: groupTitle(props.group.name) })}>
            <For each={found().targets}>
              {(target) => (
                <li class="providers-test">
                  <Show when={!target.ok}>
                    <bdi class="mono models-tested">{target.model}</bdi>
                  </Show>
                  <TestOutcome result={target} />
                </li>
              )}
            </For>
          </ul>
        )}
      </Show>
    </div>
  )
}
