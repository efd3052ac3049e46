import '../../providers/providers.css'
import {
  Button,
  ButtonLink,
  commonText as common,
  confirmAction,
  createAction,
  currentQuery,
  Dialog,
  EmptyState,
  Failure,
  groupTitle,
  Page,
  Skeleton,
  showToast,
} from '@agent-service/sdk/web'
import { ApplyBar, pathOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { type Credential, draftOf, emptyDraft, freeHandle } from '../../providers/draft.js'
import { isHarmless } from '../../providers/harmless.js'
import { type Entry, type Providers as Found, groupsOf, readProviders } from '../../providers/read-providers.js'
import { t } from '../../providers/texts.js'
import { EntryRow } from './entry-row.js'
import { ConnectionForm } from './form/connection-form.js'
import { RotateKey } from './keys/rotate-key.js'
import { SpareKeys } from './keys/spare-keys.js'

/** Brings the connection that the address names into view, with the keyboard there. */
function show(element: HTMLElement): void {
  element.tabIndex = -1
  requestAnimationFrame(() => {
    element.scrollIntoView({ block: 'center' })
    element.focus()
  })
}

/** The connections to providers of models: their state, tests, keys, and what they offer. */
export default function Providers(): JSX.Element {
  const found = createQuery({ key: () => ['providers'], read: (signal) => readProviders(signal) })
  const [editing, setEditing] = createSignal<Entry | 'new'>()
  const [rotating, setRotating] = createSignal<Entry>()
  const [blocked, setBlocked] = createSignal<{ readonly entry: Entry; readonly groups: readonly string[] }>()
  /** How often something was saved here, which is applied at once. */
  const [saved, setSaved] = createSignal(0)

  const saving = createAction(
    async (work: () => Promise<boolean>, done: string) => {
      if (!(await work())) return
      showToast(done)
      setSaved((before) => before + 1)
    },
    { concurrent: true },
  )
  const change = async (work: () => Promise<boolean>, done: string): Promise<void> => {
    await saving.run(work, done)
    await found.reload()
  }
  const toggle = ({ handle, enabled }: Entry): Promise<void> =>
    change(
      () => saveConfiguration({ set: { [pathOf('providers', handle, 'enabled')]: !enabled } }),
      t(enabled ? 'disabled_done' : 'enabled_done', { handle }),
    )
  const remove = async (entry: Entry, current: Found): Promise<void> => {
    const groups = groupsOf(entry, current.configuration)
    if (groups.length > 0) return void setBlocked({ entry, groups })
    const { handle } = entry
    const yes = await confirmAction({
      title: t('delete_question', { handle }),
      text: t(entry.credentialId === undefined ? 'delete_text' : 'delete_text_key'),
      action: t('delete_action', { handle }),
    })
    if (yes) await change(() => saveConfiguration({ reset: [pathOf('providers', handle)] }), t('deleted', { handle }))
  }
  const credentialOf = (entry: Entry, { credentials }: Found): Credential | undefined =>
    credentials.find(({ id, kind }) => id === entry.credentialId && kind === 'api_key')
  const spare = ({ credentials, entries }: Found): readonly Credential[] =>
    credentials.filter(({ id, connections }) => connections.length === 0 && !entries.some(({ credentialId }) => credentialId === id))
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button kind="main" icon="plus" disabled={!found.value()} onClick={() => setEditing('new')}>
          {t('add')}
        </Button>
      }
    >
      <Show when={saving.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={found.error()}>{(error) => <Failure error={error()} onRetry={() => void found.reload()} />}</Show>
      <Show when={found.value()} fallback={<Show when={!found.error()}>{<Skeleton lines={6} />}</Show>}>
        {(current) => (
          <>
            <ApplyBar
              configuration={current().configuration}
              atOnce={{ saved: saved(), isHarmless }}
              onApplied={() => void found.reload()}
            />
            <Show when={current().entries.length > 0} fallback={<EmptyState title={t('none')} text={t('none_text')} />}>
              <ul class="rows" aria-label={t('title')}>
                {/* By handle: a row keeps its test while the list is read again. */}
                <For each={current().entries.map(({ handle }) => handle)}>
                  {(handle) => (
                    <Show when={current().entries.find((each) => each.handle === handle)}>
                      {(entry) => (
                        <li ref={(element) => handle === currentQuery().get('connection') && show(element)}>
                          <EntryRow
                            entry={entry()}
                            credential={credentialOf(entry(), current())}
                            groups={groupsOf(entry(), current().configuration)}
                            onEdit={() => setEditing(entry())}
                            onRotate={() => setRotating(entry())}
                            onSwitch={() => void toggle(entry())}
                            onDelete={() => void remove(entry(), current())}
                          />
                        </li>
                      )}
                    </Show>
                  )}
                </For>
              </ul>
            </Show>
            <SpareKeys credentials={spare(current())} />
            <Show when={editing()} keyed>
              {(target) => (
                <EditDialog
                  target={target}
                  found={current()}
                  onClose={() => setEditing(undefined)}
                  onSaved={(handle) => {
                    setEditing(undefined)
                    showToast(t('saved', { handle }))
                    setSaved((before) => before + 1)
                    void found.reload()
                  }}
                />
              )}
            </Show>
            <Show when={rotating()} keyed>
              {(entry) => (
                <Show when={credentialOf(entry, current())}>
                  {(credential) => (
                    <RotateKey
                      handle={entry.handle}
                      isRunning={entry.running !== undefined}
                      credential={credential()}
                      onClose={() => setRotating(undefined)}
                      onDone={() => {
                        setRotating(undefined)
                        void found.reload()
                      }}
                    />
                  )}
                </Show>
              )}
            </Show>
          </>
        )}
      </Show>
      <Show when={blocked()} keyed>
        {({ entry, groups }) => (
          <Dialog title={t('in_use', { handle: entry.handle })} onClose={() => setBlocked(undefined)}>
            <p>{t('in_use_text')}</p>
            <ul class="providers-uses">
              <For each={groups}>
                {(group) => (
                  <li>
                    <bdi>{groupTitle(group)}</bdi>
                  </li>
                )}
              </For>
            </ul>
            <footer>
              <Button kind="quiet" autofocus onClick={() => setBlocked(undefined)}>
                {common('close')}
              </Button>
              <ButtonLink href="/admin/models" kind="main">
                {t('to_models')}
              </ButtonLink>
            </footer>
          </Dialog>
        )}
      </Show>
    </Page>
  )
}

function EditDialog(props: {
  readonly target: Entry | 'new'
  readonly found: Found
  readonly onClose: () => void
  readonly onSaved: (handle: string) => void
}): JSX.Element {
  const { target, found } = props
  const taken = found.entries.map(({ handle }) => handle)
  const first = found.brands.find(
    ({ enabled, kind, authentication }) => enabled && kind === 'built_in' && authentication.includes('api_key'),
  )
  const initial =
    target === 'new'
      ? { ...emptyDraft, brand: first?.id ?? emptyDraft.brand, handle: freeHandle(first?.id ?? 'endpoint', taken) }
      : draftOf(target.handle, target.saved ?? {}, found.brands)
  return (
    <Dialog title={target === 'new' ? t('add_title') : t('edit_title', { handle: target.handle })} wide onClose={props.onClose}>
      <div class="body">
        <ConnectionForm
          initial={initial}
          isNew={target === 'new'}
          brands={found.brands}
          adapters={found.adapters}
          taken={taken}
          credentialId={target === 'new' ? undefined : target.credentialId}
          hasOtherKey={target !== 'new' && target.saved?.['api_key'] !== undefined}
          action={t('save')}
          onSaved={props.onSaved}
          onCancel={props.onClose}
        />
      </div>
    </Dialog>
  )
}
