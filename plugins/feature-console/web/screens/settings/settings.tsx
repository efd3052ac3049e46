import './settings.css'
import { createEffect, createMemo, createSignal, For, type JSX, Match, on, onCleanup, Show, Switch } from 'solid-js'
import { api } from '../../api/client.js'
import { streamState } from '../../api/events.js'
import { currentQuery, guardLeaving, navigate } from '../../app/router.js'
import { useCommands } from '../../app/shortcuts.js'
import { language } from '../../i18n/language.js'
import { Button, IconButton } from '../../ui/button.js'
import { confirmAction } from '../../ui/dialog.js'
import { Icon } from '../../ui/icon.js'
import { Mark } from '../../ui/mark.js'
import { showToast } from '../../ui/notices.js'
import { Page } from '../../ui/page.js'
import { EmptyState, Failure, Skeleton } from '../../ui/states.js'
import { Segments } from '../../ui/tabs.js'
import { addedEntries, createEdits, type Edit, effectiveEdits, isConflict, patchOf } from './edits.js'
import { AddRow, EntryRow, GroupRow } from './entry-rows.js'
import { allSettings, type Row, rowsOf, sectionsOf } from './layout.js'
import { createLiveCheck } from './live-check.js'
import { type Finding, FindingList, RestartBar } from './restart.js'
import { type Change, type Merge, Review, type Saved } from './review.js'
import { at, type Configuration, isSame, isWithin, pathText } from './schema.js'
import { SectionList } from './section-list.js'
import type { Setting } from './setting.js'
import { SettingRow, TitleText } from './setting-row.js'
import { t } from './texts.js'

/** Tabs of this browser tell each other that the file was saved. */
const channelName = 'console.settings'

/** The settings editor, made from the schema of the configuration. */
export default function Settings(): JSX.Element {
  const [configuration, setConfiguration] = createSignal<Configuration>()
  const [failure, setFailure] = createSignal<unknown>()
  const load = async (): Promise<void> => {
    try {
      setConfiguration(await api.get('/api/admin/config'))
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  void load()
  return (
    <Show
      when={configuration()}
      fallback={
        <Page title={t('title')}>
          <Show when={failure()} fallback={<Skeleton lines={8} />}>
            {(error) => <Failure error={error()} onRetry={() => void load()} />}
          </Show>
        </Page>
      }
    >
      {(found) => <Editor configuration={found()} onRead={setConfiguration} />}
    </Show>
  )
}

function Editor(props: { readonly configuration: Configuration; readonly onRead: (configuration: Configuration) => void }): JSX.Element {
  const store = createEdits()
  const { edits } = store
  const [search, setSearch] = createSignal('')
  const [scope, setScope] = createSignal<'all' | 'set'>('all')
  const [isReviewing, setReviewing] = createSignal(false)
  const [merge, setMerge] = createSignal<Merge>()
  const [refused, setRefused] = createSignal<readonly Finding[]>([])
  const [isNoticed, setNoticed] = createSignal(false)
  let searchField: HTMLInputElement | undefined

  const paths = createMemo(() => Object.keys(edits()))
  const count = () => effectiveEdits(edits()).length
  // What decides about the rows: added entries and the protocols that were chosen.
  const shape = createMemo(() => {
    const variants = Object.entries(edits()).filter(([path]) => path.endsWith('.api'))
    return JSON.stringify([addedEntries(edits()), variants.map(([path, { value }]) => [path, value])])
  })
  const entered = (path: string): unknown => edits()[path]?.value
  const added = createMemo(on(shape, () => addedEntries(edits())))
  const sections = createMemo(() => sectionsOf(props.configuration))
  const settings = createMemo(() => {
    shape()
    return allSettings(props.configuration, added(), entered)
  })
  const settingAt = createMemo(() => new Map(settings().map((setting) => [setting.path, setting])))
  const section = (): string => {
    const asked = currentQuery().get('section')
    return sections().find(({ name }) => name === asked)?.name ?? 'server'
  }
  const isFlat = () => search().trim() !== '' || scope() === 'set'
  const rows = createMemo((): readonly Row[] => {
    shape()
    if (!isFlat()) return rowsOf(props.configuration, section(), added(), entered)
    const words = search().toLowerCase().split(/\s+/).filter(Boolean)
    return settings()
      .filter((setting) => (scope() === 'all' || setting.source !== 'default' || paths().includes(setting.path)) && fits(setting, words))
      .map((setting) => ({ kind: 'setting', id: `s:${setting.path}`, setting }))
  })
  const rowById = createMemo(() => new Map(rows().map((row) => [row.id, row])))

  const check = createLiveCheck(() => patchOf(edits()))
  const findings = (): readonly Finding[] => [...(check()?.problems ?? props.configuration.problems), ...refused()]
  const placed = createMemo(() => placeFindings(findings(), settingAt(), rows()))
  const changes = createMemo((): readonly Change[] =>
    effectiveEdits(edits()).map(([path, edit]) => ({ path, edit, setting: settingAt().get(path) })),
  )
  const brokenCount = () =>
    new Set([
      ...Object.entries(edits())
        .filter(([, { broken }]) => broken)
        .map(([path]) => path),
      ...placed().keys(),
    ]).size

  const put = (path: string, edit: Edit | undefined): void => {
    setRefused((before) => before.filter((finding) => !isWithin(finding.path, path)))
    if (edit) store.put(path, edit)
    else store.drop(path)
  }
  const adopt = (found: Configuration): boolean => {
    props.onRead(found)
    return store.settle(found)
  }
  const read = async (): Promise<void> => {
    if (isReviewing()) return
    try {
      adopt(await api.get('/api/admin/config'))
    } catch {
      // What is shown stays; the connection's own banner says what is the matter.
      return
    }
  }
  useReadingAgain(read)
  onCleanup(
    guardLeaving(async () => {
      if (count() === 0) return true
      const leaves = await confirmAction({
        ...{ title: t('discard_title'), text: t('discard_text', { count: count() }) },
        ...{ action: t('discard_action'), keep: t('keep') },
      })
      if (leaves) store.clear()
      return leaves
    }),
  )
  useCommands({
    id: 'settings.search',
    title: { en: 'Find a setting', de: 'Einstellung suchen' },
    keys: '/',
    group: { en: 'Settings', de: 'Einstellungen' },
    run: () => searchField?.focus(),
  })

  const show = (path: string): void => {
    setReviewing(false)
    setSearch('')
    setScope('all')
    const owner = ownerOf(path, settingAt())
    const target = owner ?? path
    void navigate(`/admin/settings?section=${encodeURIComponent(target.split('.')[0] ?? '')}`).then(() => focusSetting(target))
  }
  createEffect(
    on(
      () => currentQuery().get('setting'),
      (asked) => {
        if (asked) focusSetting(ownerOf(asked, settingAt()) ?? asked)
      },
    ),
  )
  const link = (path: string): JSX.Element => {
    const setting = () => settingAt().get(ownerOf(path, settingAt()) ?? '')
    return (
      <a
        href={`/admin/settings?section=${encodeURIComponent(path.split(/[.[]/)[0] ?? '')}&setting=${encodeURIComponent(path)}`}
        onClick={(event) => {
          event.preventDefault()
          show(path)
        }}
      >
        <Show when={setting()} fallback={<bdi class="mono">{path}</bdi>}>
          {(found) => (
            <>
              <For each={found().around}>
                {(title) => (
                  <>
                    <TitleText title={title} />
                    {' › '}
                  </>
                )}
              </For>
              <TitleText title={found().title} />
            </>
          )}
        </Show>
      </a>
    )
  }

  const onStale = async (): Promise<void> => {
    const before = props.configuration
    const found = await api.get('/api/admin/config')
    const isDone = adopt(found)
    if (isDone) return finish(found)
    const theirs = settings().filter(
      ({ path, parts, kind }) => kind !== 'secret' && !edits()[path] && !isSame(at(found.saved, parts), at(before.saved, parts)),
    )
    setMerge({ theirs })
  }
  const finish = (saved: Saved): void => {
    const variables = new Set(
      saved.locked.filter(({ path }) => paths().some((each) => isWithin(each, path))).map(({ variable }) => variable),
    )
    setReviewing(false)
    setMerge(undefined)
    setRefused([])
    setNoticed(true)
    store.clear()
    showToast(variables.size > 0 ? t('saved_locked', { variables: [...variables].join(', ') }) : t('saved'))
    const tabs = new BroadcastChannel(channelName)
    tabs.postMessage('saved')
    tabs.close()
    void read()
  }
  const discard = async (): Promise<void> => {
    const isSure = await confirmAction({
      ...{ title: t('discard_all_title'), text: t('discard_text', { count: count() }) },
      ...{ action: t('discard_action'), keep: t('keep') },
    })
    if (!isSure) return
    store.clear()
    setRefused([])
  }
  const add = (parts: readonly string[]): void => {
    put(pathText(parts), { kind: 'set', parts, value: {}, isSecret: false, base: undefined })
    queueMicrotask(() => focusSetting(pathText(parts)))
  }
  const pending = (): readonly string[] => [...new Set(props.configuration.pending.map((path) => ownerOf(path, settingAt()) ?? path))]
  const unplaced = () => placed().get('') ?? []
  const stateOf = (name: string) => ({
    changes: paths().filter((path) => isWithin(path, name)).length,
    problems: [...placed()].filter(([path]) => path !== '' && isWithin(path, name)).length,
  })
  const current = () => sections().find(({ name }) => name === section())

  return (
    <Page title={t('title')} lead={t('lead', { file: fileName(props.configuration) })}>
      <RestartBar configuration={props.configuration} pending={pending()} link={link} onRead={adopt} />
      <Show when={props.configuration.problems.length > 0 && count() === 0}>
        <section class="settings-bar danger" role="alert">
          <div class="settings-bar-line">
            <Mark name="fail" />
            <b>{t('problems_now')}</b>
          </div>
          <div class="settings-bar-more">
            <FindingList findings={props.configuration.problems} link={link} />
          </div>
        </section>
      </Show>
      <Show when={(store.wasRestored || store.lostSecrets().length > 0) && !isNoticed()}>
        <section class="settings-bar note" role="status">
          <div class="settings-bar-line">
            <Mark name="next" />
            <p class="grow">
              <Show when={count() > 0}>{t('restored', { count: count() })}</Show>{' '}
              <Show when={store.lostSecrets().length > 0}>{t('lost_secrets', { names: store.lostSecrets().join(', ') })}</Show>
            </p>
            <IconButton icon="x" size="small" name={t('close')} onClick={() => setNoticed(true)} />
          </div>
        </section>
      </Show>
      <div class="settings-tools">
        <span class="in">
          <Icon name="search" />
          <input
            ref={(element) => {
              searchField = element
            }}
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={search()}
            onInput={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setSearch('')
            }}
          />
          <Show when={search() !== ''}>
            <IconButton icon="x" size="small" name={t('clear_search')} onClick={() => setSearch('')} />
          </Show>
        </span>
        <Segments
          label={t('show_which')}
          value={scope()}
          choices={[
            { value: 'all', label: t('all') },
            { value: 'set', label: t('set_only') },
          ]}
          onInput={setScope}
        />
      </div>
      <div class="settings-layout">
        <SectionList
          sections={sections()}
          current={isFlat() ? undefined : section()}
          stateOf={stateOf}
          onSelect={(name) => {
            setSearch('')
            setScope('all')
            void navigate(`/admin/settings?section=${encodeURIComponent(name)}`)
          }}
        />
        <div class="settings-rows">
          <Show when={!isFlat() && current()}>
            {(found) => (
              <header class="settings-head">
                <h2>
                  <TitleText title={found().title} />
                </h2>
                <p lang={language() === 'en' ? undefined : 'en'}>{found().help}</p>
                <Show when={found().noEffect}>
                  <p class="row help">
                    <Mark name="pause" />
                    {t('no_effect')}
                  </p>
                </Show>
              </header>
            )}
          </Show>
          <Show when={unplaced().length > 0}>
            <FindingList findings={unplaced()} link={link} />
          </Show>
          <For
            each={rows().map(({ id }) => id)}
            fallback={
              <Show when={isFlat()}>
                <EmptyState title={t('not_found')} text={t('not_found_text')} />
              </Show>
            }
          >
            {(id) => (
              <Line
                row={() => rowById().get(id)}
                edits={edits()}
                configuration={props.configuration}
                problemsAt={(path) => (placed().get(path) ?? []).map((finding) => inside(finding, path))}
                overlapsAt={(path) => (check()?.overlaps ?? []).filter((overlap) => isWithin(overlap.path, path))}
                withPlace={isFlat()}
                onEdit={put}
                onKeep={(path) => store.rebase(path, props.configuration)}
                onRemove={(parts, isSaved) => store.removeEntry(parts, isSaved, at(props.configuration.saved, parts))}
                onAdd={add}
                isTaken={(parts) => at(props.configuration.values, parts) !== undefined || edits()[pathText(parts)] !== undefined}
              />
            )}
          </For>
        </div>
      </div>
      <Show when={count() > 0}>
        <section class="settings-foot" aria-label={t('changed_here')}>
          <Mark name={brokenCount() > 0 ? 'fail' : 'next'} />
          <span class="grow">
            {t('changes_count', { count: count() })}
            <Show when={brokenCount() > 0}>{`, ${t('fix', { count: brokenCount() })}`}</Show>
          </span>
          <Button kind="quiet" onClick={() => void discard()}>
            {t('discard')}
          </Button>
          <Button kind="main" onClick={() => setReviewing(true)}>
            {t('review', { count: count() })}
          </Button>
        </section>
      </Show>
      <Show when={isReviewing()}>
        <Review
          configuration={props.configuration}
          edits={edits()}
          changes={changes()}
          check={check()}
          merge={merge()}
          link={link}
          onKeep={(path) => store.rebase(path, props.configuration)}
          onDrop={(path) => put(path, undefined)}
          onClose={() => {
            setReviewing(false)
            setMerge(undefined)
          }}
          onStale={onStale}
          onRefused={setRefused}
          onSaved={finish}
        />
      </Show>
    </Page>
  )
}

/** One line of the page, by its kind. */
function Line(props: {
  readonly row: () => Row | undefined
  readonly edits: Readonly<Record<string, Edit>>
  readonly configuration: Configuration
  readonly problemsAt: (path: string) => readonly string[]
  readonly overlapsAt: (path: string) => readonly { readonly path: string; readonly typed: string; readonly custom: string }[]
  readonly withPlace: boolean
  readonly onEdit: (path: string, edit: Edit | undefined) => void
  readonly onKeep: (path: string) => void
  readonly onRemove: (parts: readonly string[], isSaved: boolean) => void
  readonly onAdd: (parts: readonly string[]) => void
  readonly isTaken: (parts: readonly string[]) => boolean
}): JSX.Element {
  const of = <Kind extends Row['kind']>(kind: Kind) => {
    const row = props.row()
    return row?.kind === kind ? (row as Extract<Row, { kind: Kind }>) : undefined
  }
  return (
    <Switch>
      <Match when={of('setting')}>
        {(row) => {
          const path = () => row().setting.path
          const edit = () => props.edits[path()]
          return (
            <SettingRow
              setting={row().setting}
              edit={edit()}
              problems={props.problemsAt(path())}
              overlaps={row().setting.kind === 'json' ? props.overlapsAt(path()) : []}
              isConflict={isConflictOf(edit(), props.configuration)}
              file={fileName(props.configuration)}
              withPlace={props.withPlace}
              onEdit={(next) => props.onEdit(path(), next)}
              onKeep={() => props.onKeep(path())}
            />
          )
        }}
      </Match>
      <Match when={of('group')}>{(row) => <GroupRow row={row()} />}</Match>
      <Match when={of('entry')}>
        {(row) => (
          <EntryRow
            row={row()}
            edit={props.edits[row().path]}
            problems={props.problemsAt(row().path)}
            isLocked={props.configuration.locked.some(({ path }) => isWithin(row().path, path))}
            onRemove={() => props.onRemove(row().parts, row().isSaved)}
            onRestore={() => props.onEdit(row().path, undefined)}
          />
        )}
      </Match>
      <Match when={of('add')}>{(row) => <AddRow row={row()} taken={props.isTaken} onAdd={props.onAdd} />}</Match>
    </Switch>
  )
}

const isConflictOf = (edit: Edit | undefined, configuration: Configuration): boolean =>
  edit !== undefined && isConflict(edit, configuration)

/** Reads again when the file may have changed: another tab saved, the tab is shown, the service is back. */
function useReadingAgain(read: () => Promise<void>): void {
  const tabs = new BroadcastChannel(channelName)
  tabs.addEventListener('message', () => void read())
  const onShown = (): void => {
    if (document.visibilityState === 'visible') void read()
  }
  document.addEventListener('visibilitychange', onShown)
  createEffect(on(streamState, (state, before) => void (state === 'live' && before === 'reconnecting' && read()), { defer: true }))
  onCleanup(() => {
    tabs.close()
    document.removeEventListener('visibilitychange', onShown)
  })
}

/** The words of a finding at a setting, with the place inside the setting's value. */
const inside = ({ path, message }: Finding, setting: string): string =>
  path.length > setting.length ? `${path.slice(setting.length).replace(/^\./, '')}: ${message}` : message

/** The name of the file, without its folder. */
const fileName = ({ file }: Configuration): string => file.split(/[\\/]/).at(-1) ?? file

/** Whether a setting has all words in its names, its path, its variable or its meaning. */
function fits(setting: Setting, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const titles = [...setting.around, setting.title].map(({ text }) => text)
  const text = [...titles, setting.path, setting.variable, setting.parts.join(' ').replaceAll('_', ' '), setting.help]
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The setting that a path belongs to: itself, or the one around it. */
const ownerOf = (path: string, settings: ReadonlyMap<string, Setting>): string | undefined =>
  [...settings.keys()].filter((each) => isWithin(path, each)).sort((one, other) => other.length - one.length)[0]

/** The findings by the setting or entry that they are shown at; under the empty text those without one. */
function placeFindings(
  findings: readonly Finding[],
  settings: ReadonlyMap<string, Setting>,
  rows: readonly Row[],
): ReadonlyMap<string, readonly Finding[]> {
  const entries = rows.flatMap((row) => (row.kind === 'entry' ? [row.path] : []))
  const placed = new Map<string, readonly Finding[]>()
  for (const finding of findings) {
    const key = ownerOf(finding.path, settings) ?? entries.find((entry) => isWithin(finding.path, entry)) ?? ''
    const known = placed.get(key) ?? []
    if (!known.some(({ message }) => message === finding.message)) placed.set(key, [...known, finding])
  }
  return placed
}

/** Brings a setting or an entry into view, with the focus in its field. */
function focusSetting(path: string): void {
  setTimeout(() => {
    const quoted = CSS.escape(path)
    const line = document.querySelector<HTMLElement>(`[data-path="${quoted}"]`)
    const inEntry = document.querySelector<HTMLElement>(`[data-entry="${quoted}"]`)
    const target = line ?? inEntry
    target?.scrollIntoView({ block: 'center' })
    const start = line ?? (inEntry?.nextElementSibling as HTMLElement | null)
    start?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
  })
}
