import './browser.css'
import {
  Button,
  ButtonLink,
  confirmAction,
  createAction,
  EmptyState,
  Failure,
  hasScreen,
  isAdmin,
  Page,
  Skeleton,
  showToast,
  whileVisible,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { ForgetDialog } from './forget-dialog.js'
import { SessionRow } from './session-row.js'
import { t } from './texts.js'
import { Trouble } from './trouble.js'

type State = Schemas['BrowserState']
type Session = Schemas['BrowserSession']

const everyMs = 10_000

/** What the person's agents have open in the browser, and what it remembers. Read again every ten seconds. */
export default function Browser(): JSX.Element {
  const state = createQuery({ key: () => ['browser'], read: (signal) => api.get('/api/browser', { signal }) })
  const [forgets, setForgets] = createSignal(false)
  whileVisible(everyMs, () => void state.reload())
  /** What had the focus may be gone then. */
  const readAgain = async (): Promise<void> => {
    await state.reload()
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Show when={isAdmin() && hasScreen('/admin/web')}>
            <ButtonLink href="/admin/web" icon="settings">
              {t('manage')}
            </ButtonLink>
          </Show>
          <Show when={remembers(state.value())}>
            <Button kind="danger" icon="trash" onClick={() => setForgets(true)}>
              {t('forget')}
            </Button>
          </Show>
        </>
      }
    >
      <Show when={state.error()}>{(error) => <Failure error={error()} onRetry={() => void state.reload()} />}</Show>
      <Switch>
        <Match when={state.value()}>
          {(found) => (
            <>
              <Trouble state={found()} />
              <Sessions sessions={found().sessions} available={found().available} onClosed={readAgain} />
              <Show when={found().profiles > 0}>
                <p class="help browser-note">{t('profiles', { count: found().profiles })}</p>
              </Show>
            </>
          )}
        </Match>
        <Match when={state.isLoading()}>
          <Skeleton lines={6} />
        </Match>
      </Switch>
      <Show when={forgets()}>
        <ForgetDialog onClose={() => setForgets(false)} onForgotten={() => void readAgain()} />
      </Show>
    </Page>
  )
}

/** A session may have signed in without that being kept yet. */
const remembers = (state: State | undefined): boolean => state !== undefined && (state.profiles > 0 || state.sessions.length > 0)

function Sessions(props: {
  readonly sessions: readonly Session[]
  readonly available: boolean
  readonly onClosed: () => Promise<void>
}): JSX.Element {
  const closing = createAction(
    async ({ id, agent_handle: agent }: Session) => {
      await api.delete('/api/browser/sessions/{id}', { path: { id } })
      showToast(t('closed', { agent }))
      await props.onClosed()
    },
    { concurrent: true },
  )
  /** Rows stay the same elements while their sessions change, so that pictures and the focus stay. */
  const ids = (): readonly string[] => props.sessions.map(({ id }) => id)
  const byId = (id: string): Session | undefined => props.sessions.find((session) => session.id === id)
  const close = async (session: Session): Promise<void> => {
    const question = {
      title: t('close_question', { agent: session.agent_handle }),
      text: t('close_text'),
      action: t('close_action'),
      keep: t('keep_open'),
    }
    if (await confirmAction(question)) await closing.run(session)
  }
  return (
    <>
      <Show when={closing.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show
        when={props.sessions.length > 0}
        fallback={<Show when={props.available}>{<EmptyState title={t('empty')} text={t('empty_text')} />}</Show>}
      >
        <ul class="rows" aria-label={t('sessions')}>
          <For each={ids()}>
            {(id) => (
              <Show when={byId(id)}>
                {(session) => (
                  <li>
                    <SessionRow session={session()} isClosing={closing.given()?.[0].id === id} onClose={() => void close(session())} />
                  </li>
                )}
              </Show>
            )}
          </For>
        </ul>
      </Show>
    </>
  )
}
