import {
  agentName,
  BannerBar,
  Button,
  commonText as common,
  confirmAction,
  createLoaded,
  Dialog,
  Failure,
  guardLeaving,
  hasScreen,
  isProblem,
  MenuButton,
  type MenuItem,
  navigate,
  Page,
  Sheet,
  Skeleton,
  showToast,
  Tabs,
  useCommands,
  usePageTitle,
} from '@agent-service/sdk/web'
import { shippedText } from '@agent-service/sdk/web/words'
import { createMemo, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import { api } from '../../api/index.js'
import { ChangeList, compareDefinitions } from './change-list.js'
import { type Agent, changedMembers, changesOf, type Definition, definitionOf, merge } from './definition.js'
import { onReturn } from './on-return.js'
import { ProfileTab } from './profile-tab.js'
import { StaleDialog } from './stale-dialog.js'
import { TestChat } from './test-chat.js'
import { t } from './texts.js'
import { ToolsTab } from './tools-tab.js'
import { VersionsTab } from './versions-tab.js'

type TabId = 'profile' | 'tools' | 'versions' | 'try'

/** Wide enough for the form and a chat beside it. */
const isWide = matchMedia('(min-width: 1181px)')

/** One agent: read, then edited in a form that is saved as a new version. */
export function AgentPage(props: { readonly id: string }): JSX.Element {
  const agent = createLoaded((signal) => api.get('/api/agents/{agent_id}', { path: { agent_id: props.id }, signal }))
  return (
    <Switch
      fallback={
        <Page title={t('agent')}>
          <Skeleton lines={8} />
        </Page>
      }
    >
      <Match when={agent.error()}>
        {(error) => (
          <Page title={t('agent')}>
            <Failure
              error={isProblem(error(), 'not_found') ? new Error(t('agent_not_found')) : error()}
              onRetry={() => void agent.reload()}
            />
          </Page>
        )}
      </Match>
      <Match when={agent.value()}>{(found) => <Editor agent={found()} />}</Match>
    </Switch>
  )
}

/** Keeps what is typed beside the version that it was begun from. */
function Editor(props: { readonly agent: Agent }): JSX.Element {
  const [saved, setSaved] = createSignal<Agent>(props.agent)
  const [draft, setDraft] = createStore<Definition>(definitionOf(props.agent))
  const [tab, setTab] = createSignal<TabId>('profile')
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const [newer, setNewer] = createSignal<Agent>()
  const [merging, setMerging] = createSignal(false)
  const [shown, setShown] = createSignal<'changes' | 'prompt'>()
  const base = (): Definition => definitionOf(saved())
  const mine = (): Definition => structuredClone(unwrap(draft))
  // Reads the store itself, so that it is computed again after each change.
  const changed = createMemo(() => changedMembers(base(), draft))
  const path = { agent_id: props.agent.id }
  const [wide, setWide] = createSignal(isWide.matches)
  const follow = (): void => {
    setWide(isWide.matches)
    if (isWide.matches && tab() === 'try') setTab('profile')
  }
  isWide.addEventListener('change', follow)
  onCleanup(() => isWide.removeEventListener('change', follow))
  usePageTitle(() => agentName(saved().name))

  const adopt = (agent: Agent, definition: Definition = definitionOf(agent)): void => {
    setSaved(agent)
    setDraft(reconcile(definition))
    setNewer(undefined)
    setMerging(false)
    setFailure(undefined)
  }
  const look = async (): Promise<void> => {
    const found = await api.get('/api/agents/{agent_id}', { path })
    if (found.version <= saved().version) return
    if (changed().length === 0) adopt(found)
    else setNewer(found)
  }
  // A service that does not answer is reported by what the person does next.
  onReturn(() => void look().catch(() => undefined))

  const save = async (): Promise<void> => {
    const count = changed().length
    if (busy() || count === 0) return
    setBusy(true)
    setFailure(undefined)
    try {
      const body = changesOf(base(), mine())
      const headers = { 'if-match': `"${saved().version}"` }
      const next = await api.patch('/api/agents/{agent_id}', { path, body, headers })
      adopt(next)
      showToast(t('saved', { version: next.version }))
    } catch (error) {
      if (!isProblem(error, 'stale_agent')) setFailure(error)
      else await loadNewer()
    } finally {
      setBusy(false)
    }
  }
  const loadNewer = async (): Promise<void> => {
    try {
      setNewer(await api.get('/api/agents/{agent_id}', { path }))
      setMerging(true)
    } catch (error) {
      setFailure(error)
    }
  }
  const discard = (): void => {
    const lost = mine()
    setDraft(reconcile(base()))
    setFailure(undefined)
    showToast(t('discarded'), { action: { label: common('undo'), run: () => setDraft(reconcile(lost)) } })
  }
  const remove = async (): Promise<void> => {
    const yes = await confirmAction({
      title: t('delete_question', { name: agentName(saved().name) }),
      text: t('delete_text'),
      action: t('delete_action', { name: agentName(saved().name) }),
      keep: t('keep'),
    })
    if (!yes) return
    try {
      await api.delete('/api/agents/{agent_id}', { path })
      setDraft(reconcile(base()))
      showToast(t('deleted', { name: agentName(saved().name) }))
      await navigate('/agents')
    } catch (error) {
      setFailure(error)
    }
  }
  const openChat = async (): Promise<void> => {
    try {
      const chat = await api.post('/api/chats', { body: { agent_id: props.agent.id } })
      await navigate(`/chats/${chat.id}`)
    } catch (error) {
      setFailure(error)
    }
  }
  const adoptShared = async (): Promise<void> => {
    const yes = await confirmAction({ title: t('adopt_question'), text: t('adopt_text'), action: t('adopt'), danger: false })
    if (!yes) return
    try {
      adopt(await api.post('/api/agents/{agent_id}/adopt', { path }))
    } catch (error) {
      setFailure(error)
    }
  }
  onCleanup(
    guardLeaving(() =>
      changed().length === 0
        ? true
        : confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }),
    ),
  )
  useCommands({
    id: 'agents.save',
    title: { en: 'Save the agent', de: 'Agent speichern' },
    keys: 'mod+s',
    group: { en: 'Agents', de: 'Agenten' },
    run: () => void save(),
  })
  const problemAt = (pointer: string): string | undefined => {
    const error = failure()
    return isProblem(error) ? error.errors.find(({ path: at }) => at === pointer || at.startsWith(`${pointer}/`))?.message : undefined
  }
  const connectChannel = (): MenuItem => ({
    label: t('channels_connect'),
    icon: 'messages',
    run: () => void navigate(`/channels/new?${new URLSearchParams({ agent: props.agent.id })}`),
  })
  return (
    <Page
      form={!wide()}
      title={agentName(saved().name)}
      lead={
        <>
          <span class="badge">{t('version', { number: saved().version })}</span> <bdi>{shippedText(saved().description).text}</bdi>
        </>
      }
      actions={
        <>
          <Button size="small" icon="message" onClick={() => void openChat()}>
            {t('open_chat')}
          </Button>
          <MenuButton
            name={t('more')}
            size="small"
            items={[
              { label: t('show_prompt'), icon: 'eye', run: () => setShown('prompt') },
              ...(hasScreen('/channels/new') ? [connectChannel()] : []),
              { label: t('delete'), icon: 'trash', danger: true, run: () => void remove() },
            ]}
          />
        </>
      }
    >
      <div class="agents-notes">
        <Show when={saved().shared?.update_available}>
          <BannerBar banner={{ id: 'shared', text: t('shared_update'), action: { label: t('adopt'), run: () => void adoptShared() } }} />
        </Show>
        <Show when={newer()}>
          {(found) => (
            <BannerBar
              banner={{
                id: 'newer',
                text: t('newer', { number: found().version }),
                action: { label: t('compare'), run: () => setMerging(true) },
              }}
            />
          )}
        </Show>
      </div>
      <div classList={{ 'agents-beside': wide() }}>
        <div class="agents-work">
          <Tabs
            label={t('parts')}
            tabs={[
              { id: 'profile', label: t('profile') },
              { id: 'tools', label: t('tools'), count: draft.tools.length },
              { id: 'versions', label: t('versions'), count: saved().version },
              ...(wide() ? [] : [{ id: 'try' as const, label: t('try') }]),
            ]}
            current={tab()}
            onSelect={setTab}
          >
            <div class="agents-panel">
              <Switch>
                <Match when={tab() === 'profile'}>
                  <ProfileTab agentId={props.agent.id} draft={draft} change={setDraft} warnings={saved().warnings} problemAt={problemAt} />
                </Match>
                <Match when={tab() === 'tools'}>
                  <ToolsTab agent={saved()} draft={draft} change={setDraft} />
                </Match>
                <Match when={tab() === 'versions'}>
                  <VersionsTab agent={saved()} dirty={changed().length > 0} onRestored={adopt} />
                </Match>
              </Switch>
            </div>
          </Tabs>
          <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
          <Show when={changed().length > 0}>
            <section class="agents-save" aria-label={t('unsaved')}>
              <span class="grow small">{t('unsaved_count', { count: changed().length })}</span>
              <Button size="small" kind="quiet" onClick={discard}>
                {t('discard')}
              </Button>
              <Button size="small" icon="arrows-diff" onClick={() => setShown('changes')}>
                {t('compare_with', { number: saved().version })}
              </Button>
              <Button size="small" kind="main" busy={busy()} onClick={() => void save()}>
                {t('save', { count: changed().length })}
              </Button>
            </section>
          </Show>
        </div>
        <div class="agents-side" hidden={!wide() && tab() !== 'try'}>
          <TestChat agent={saved()} unsaved={changed().length} saving={busy()} onSave={save} />
        </div>
      </div>
      <Show when={shown() === 'changes'}>
        <Dialog wide title={t('compare_with', { number: saved().version })} onClose={() => setShown(undefined)}>
          <div class="body">
            <ChangeList label={t('unsaved')} changes={compareDefinitions(base(), mine())} />
          </div>
          <footer>
            <Button autofocus onClick={() => setShown(undefined)}>
              {common('close')}
            </Button>
          </footer>
        </Dialog>
      </Show>
      <Show when={shown() === 'prompt'}>
        <PromptSheet id={props.agent.id} onClose={() => setShown(undefined)} />
      </Show>
      <Show when={merging() && newer()}>
        {(theirs) => (
          <StaleDialog
            theirs={theirs()}
            merge={merge(base(), mine(), definitionOf(theirs()))}
            onClose={() => setMerging(false)}
            onMerged={(definition) => adopt(theirs(), definition)}
          />
        )}
      </Show>
    </Page>
  )
}

/** The system message of the saved version. */
function PromptSheet(props: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const prompt = createLoaded((signal) => api.get('/api/agents/{agent_id}/prompt', { path: { agent_id: props.id }, signal }))
  return (
    <Sheet title={t('show_prompt')} onClose={props.onClose}>
      <Switch fallback={<Skeleton lines={8} />}>
        <Match when={prompt.error()}>{(error) => <Failure error={error()} onRetry={() => void prompt.reload()} />}</Match>
        <Match when={prompt.value()}>{(found) => <pre class="agents-prompt foreign">{found().text}</pre>}</Match>
      </Switch>
    </Sheet>
  )
}
