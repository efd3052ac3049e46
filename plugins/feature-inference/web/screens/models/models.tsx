import '../../providers/providers.css'
import './models.css'
import {
  Button,
  ButtonLink,
  confirmAction,
  createAction,
  Dialog,
  EmptyState,
  Failure,
  groupTitle,
  Page,
  Skeleton,
  showToast,
} from '@agent-service/sdk/web'
import { ApplyBar, pathOf, saveConfiguration, savedIn } from '@agent-service/sdk/web/configuration'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { isHarmless } from '../../providers/harmless.js'
import { emptyTarget, type Group, groupOf } from './group.js'
import { GroupForm } from './group-form.js'
import { GroupRow } from './group-row.js'
import { type Models as Found, type ListedGroup, readModels } from './read-models.js'
import { t } from './texts.js'

/** The model groups: what agents name, which models stand behind it, and in which order. */
export default function Models(): JSX.Element {
  const found = createQuery({ key: () => ['models'], read: readModels })
  const [editing, setEditing] = createSignal<Group | 'new'>()
  /** How often something was saved here, which is applied at once. */
  const [saved, setSaved] = createSignal(0)

  const deleting = createAction(async (name: string) => {
    if (!(await saveConfiguration({ reset: [pathOf('models', name)] }))) return
    showToast(t('deleted', { name: groupTitle(name) }))
    setSaved((before) => before + 1)
  })
  const remove = async ({ name, agents }: ListedGroup): Promise<void> => {
    const title = groupTitle(name)
    const yes = await confirmAction({
      title: t('delete_question', { name: title }),
      text: agents.length === 0 ? t('delete_text') : t('delete_text_agents', { count: agents.length, names: agents.join(', ') }),
      action: t('delete_action', { name: title }),
    })
    if (!yes) return
    await deleting.run(name)
    await found.reload()
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Show when={(found.value()?.found.entries.length ?? 0) > 0}>
          <Button kind="main" icon="plus" onClick={() => setEditing('new')}>
            {t('add')}
          </Button>
        </Show>
      }
    >
      <Show when={deleting.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={found.error()}>{(error) => <Failure error={error()} onRetry={() => void found.reload()} />}</Show>
      <Show when={found.value()} fallback={<Show when={!found.error()}>{<Skeleton lines={6} />}</Show>}>
        {(current) => (
          <>
            <ApplyBar
              configuration={current().found.configuration}
              atOnce={{ saved: saved(), isHarmless }}
              onApplied={() => void found.reload()}
            />
            <Show when={current().groups.length > 0} fallback={<NoGroups found={current()} />}>
              <ul class="rows" aria-label={t('title')}>
                <For each={current().groups.map(({ name }) => name)}>
                  {(name) => (
                    <Show when={current().groups.find((each) => each.name === name)}>
                      {(group) => (
                        <li>
                          <GroupRow
                            group={group()}
                            onEdit={() => setEditing(groupOf(name, savedIn(current().found.configuration, 'models')[name] ?? {}))}
                            onDelete={() => void remove(group())}
                          />
                        </li>
                      )}
                    </Show>
                  )}
                </For>
              </ul>
            </Show>
            <Show when={editing()} keyed>
              {(target) => (
                <Dialog
                  title={target === 'new' ? t('add_title') : t('edit_title', { name: groupTitle(target.name) })}
                  wide
                  onClose={() => setEditing(undefined)}
                >
                  <div class="body">
                    <GroupForm
                      initial={target === 'new' ? newGroup(current()) : target}
                      isNew={target === 'new'}
                      found={current().found}
                      taken={current().groups.map(({ name }) => name)}
                      onCancel={() => setEditing(undefined)}
                      onSaved={(name) => {
                        setEditing(undefined)
                        showToast(t('saved', { name: groupTitle(name) }))
                        setSaved((before) => before + 1)
                        void found.reload()
                      }}
                    />
                  </div>
                </Dialog>
              )}
            </Show>
          </>
        )}
      </Show>
    </Page>
  )
}

const newGroup = ({ groups }: Found): Group => ({
  name: groups.some(({ name }) => name === 'primary') ? '' : 'primary',
  own: emptyTarget,
  fallbacks: [],
  contextWindow: '',
  maxRetries: '',
})

function NoGroups(props: { readonly found: Found }): JSX.Element {
  return (
    <Show
      when={props.found.found.entries.length > 0}
      fallback={
        <EmptyState title={t('no_providers')} text={t('no_providers_text')}>
          <ButtonLink href="/admin/providers" kind="main">
            {t('to_providers')}
          </ButtonLink>
        </EmptyState>
      }
    >
      <EmptyState title={t('none')} text={t('none_text')} />
    </Show>
  )
}
