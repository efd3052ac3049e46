import {
  agentName,
  BannerBar,
  Button,
  commonText as common,
  confirmAction,
  createAction,
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
import { createForm } from '@agent-service/sdk/web/forms'
import { shippedText } from '@agent-service/sdk/web/words'
import { createMemo, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { api, createQuery, invalidate } from '../../api/index.js'
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
  const agent = createQuery({
    key: () => ['agent', props.id],
    read: (signal) => api.get('/api/agents/{agent_id}', { path: { agent_id: props.id }, signal }),
    // The editor looks for newer versions itself, with regard to what is typed.
    follow: false,
  })
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

/** Which part of the editor is shown. The chat to try the agent is one of them where there is no room for it beside the others. */
function createTab() {
  const [tab, setTab] = createSignal<TabId>('profile')
  const [wide, setWide] = createSignal(isWide.matches)
  const follow = (): void => {
    setWide(isWide.matches)
    if (isWide.matches && tab() === 'try') setTab('profile')
  }
  isWide.addEventListener('change', follow)
  onCleanup(() => isWide.removeEventListener('change', follow))
  return { tab, setTab, wide }
}

/** Keeps what is typed beside the version that it was begun from. */
function Editor(props: { readonly agent: Agent }): JSX.Element {
  const [saved, setSaved] = createSignal<Agent>(props.agent)
  const [newer, setNewer] = createSignal<Agent>()
  const [merging, setMerging] = createSignal(false)
  const [shown, setShown] = createSignal<'changes' | 'prompt'>()
  const path = { agent_id: props.agent.id }
  const read = (): Promise<Agent> => api.get('/api/agents/{agent_id}', { path })
  const base = (): Definition => definitionOf(saved())
  const form = createForm<Definition>({
    initial: base(),
    submit: async (mine) => {
      const headers = { 'if-match': `"${saved().version}"` }
      adopt(await api.patch('/api/agents/{agent_id}', { path, body: changesOf(base(), mine), headers }))
      showToast(t('saved', { version: saved().version }))
    },
  })
  const changed = createMemo(() => changedMembers(base(), form.values()))
  const toolCount = createMemo(() => form.values().tools.length)
  /** What is done beside saving. */
  const action = createAction((work: () => Promise<unknown>) => work())
  const isStale = (): boolean => isProblem(form.error(), 'stale_agent')
  const failure = (): unknown => action.failure() ?? (isStale() ? undefined : form.error())
  const { tab, setTab, wide } = createTab()
  usePageTitle(() => agentName(saved().name))

  /** Goes on from a version of the service, with what is typed or merged for it. */
  const adopt = (agent: Agent, typed?: Definition): void => {
    setSaved(agent)
    form.reset(base())
    if (typed) form.fill(typed)
    setNewer(undefined)
    setMerging(false)
    action.clear()
    invalidate(['agent', agent.id])
  }
  const look = async (): Promise<void> => {
    const found = await read()
    if (found.version <= saved().version) return
    if (changed().length === 0) adopt(found)
    else setNewer(found)
  }
  // A service that does not answer is reported by what the person does next.
  onReturn(() => void look().catch(() => undefined))

  const save = async (): Promise<void> => {
    action.clear()
    if (changed().length === 0 || (await form.submit()) || !isStale()) return
    await action.run(async () => {
      setNewer(await read())
      setMerging(true)
    })
  }
  const discard = (): void => {
    const lost = form.values()
    form.reset(base())
    action.clear()
    showToast(t('discarded'), { action: { label: common('undo'), run: () => form.fill(lost) } })
  }
  const remove = async (): Promise<void> => {
    const yes = await confirmAction({
      title: t('delete_question', { name: agentName(saved().name) }),
      text: t('delete_text'),
      action: t('delete_action', { name: agentName(saved().name) }),
      keep: t('keep'),
    })
    if (!yes) return
    await api.delete('/api/agents/{agent_id}', { path })
    form.reset(base())
    showToast(t('deleted', { name: agentName(saved().name) }))
    await navigate('/agents')
  }
  const openChat = async (): Promise<void> => {
    const chat = await api.post('/api/chats', { body: { agent_id: props.agent.id } })
    await navigate(`/chats/${chat.id}`)
  }
  const adoptShared = async (): Promise<void> => {
    const yes = await confirmAction({ title: t('adopt_question'), text: t('adopt_text'), action: t('adopt'), danger: false })
    if (yes) adopt(await api.post('/api/agents/{agent_id}/adopt', { path }))
  }
  onCleanup(
    guardLeaving(() =>
      form.isDirty() ? confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }) : true,
    ),
  )
  useCommands({
    id: 'agents.save',
    title: { en: 'Save the agent', de: 'Agent speichern' },
    keys: 'mod+s',
    group: { en: 'Agents', de: 'Agenten' },
    run: () => void save(),
  })
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
          <Button size="small" icon="message" onClick={() => void action.run(openChat)}>
            {t('open_chat')}
          </Button>
          <MenuButton
            name={t('more')}
            size="small"
            items={[
              { label: t('show_prompt'), icon: 'eye', run: () => setShown('prompt') },
              ...(hasScreen('/channels/new') ? [connectChannel()] : []),
              { label: t('delete'), icon: 'trash', danger: true, run: () => void action.run(remove) },
            ]}
          />
        </>
      }
    >
      <div class="agents-notes">
        <Show when={saved().shared?.update_available}>
          <BannerBar
            banner={{ id: 'shared', text: t('shared_update'), action: { label: t('adopt'), run: () => void action.run(adoptShared) } }}
          />
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
              { id: 'tools', label: t('tools'), count: toolCount() },
              { id: 'versions', label: t('versions'), count: saved().version },
              ...(wide() ? [] : [{ id: 'try' as const, label: t('try') }]),
            ]}
            current={tab()}
            onSelect={setTab}
          >
            <div class="agents-panel">
              <Switch>
                <Match when={tab() === 'profile'}>
                  <ProfileTab agentId={props.agent.id} form={form} warnings={saved().warnings} />
                </Match>
                <Match when={tab() === 'tools'}>
                  <ToolsTab agent={saved()} form={form} />
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
              <Button size="small" kind="main" busy={form.busy()} onClick={() => void save()}>
                {t('save', { count: changed().length })}
              </Button>
            </section>
          </Show>
        </div>
        <div class="agents-side" hidden={!wide() && tab() !== 'try'}>
          <TestChat agent={saved()} unsaved={changed().length} saving={form.busy()} onSave={save} />
        </div>
      </div>
      <Show when={shown() === 'changes'}>
        <Dialog wide title={t('compare_with', { number: saved().version })} onClose={() => setShown(undefined)}>
          <div class="body">
            <ChangeList label={t('unsaved')} changes={compareDefinitions(base(), form.values())} />
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
            merge={merge(base(), form.values(), definitionOf(theirs()))}
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
  const prompt = createQuery({
    key: () => ['agent', props.id, 'prompt'],
    read: (signal) => api.get('/api/agents/{agent_id}/prompt', { path: { agent_id: props.id }, signal }),
  })
  return (
    <Sheet title={t('show_prompt')} onClose={props.onClose}>
      <Switch fallback={<Skeleton lines={8} />}>
        <Match when={prompt.value()}>{(found) => <pre class="agents-prompt foreign">{found().text}</pre>}</Match>
        <Match when={prompt.error()}>{(error) => <Failure error={error()} onRetry={() => void prompt.reload()} />}</Match>
      </Switch>
    </Sheet>
  )
}
