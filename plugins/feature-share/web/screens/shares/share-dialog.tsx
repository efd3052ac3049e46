import {
  Button,
  CopyButton,
  Dialog,
  dayTimeText,
  errorText,
  Failure,
  type ItemTarget,
  SelectField,
  TextField,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createResource, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import './shares.css'
import { t } from './texts.js'

type Created = Schemas['NewShare']
type Life = 'usual' | 'week' | 'day'
const daySeconds = 86_400
const seconds: Readonly<Record<Life, number | undefined>> = { usual: undefined, week: 7 * daySeconds, day: daySeconds }

/** Makes a link, to the given target or to one that is chosen here, and shows it once. */
export function ShareDialog(props: {
  readonly target?: ItemTarget
  readonly onClose: () => void
  readonly onCreated?: (share: Created) => void
}): JSX.Element {
  const [created, setCreated] = createSignal<Created>()
  const title = (): string => (props.target ? t('share_title', { name: props.target.name }) : t('new_link'))
  return (
    <Dialog title={created() ? t('ready_title') : title()} onClose={props.onClose}>
      <Show
        when={created()}
        fallback={
          <Form
            onClose={props.onClose}
            {...(props.target && { target: props.target })}
            onCreated={(share) => {
              setCreated(share)
              props.onCreated?.(share)
            }}
          />
        }
      >
        {(share) => <Ready share={share()} onClose={props.onClose} />}
      </Show>
    </Dialog>
  )
}

function Form(props: {
  readonly target?: ItemTarget
  readonly onClose: () => void
  readonly onCreated: (share: Created) => void
}): JSX.Element {
  const [kind, setKind] = createSignal<'file' | 'chat'>('file')
  const [path, setPath] = createSignal('files/')
  const [chatId, setChatId] = createSignal('')
  const [life, setLife] = createSignal<Life>('usual')
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const [chats] = createResource(
    () => (!props.target && kind() === 'chat' ? true : undefined),
    async () => (await api.get('/api/chats', { query: { limit: 50 } })).items,
  )
  const isChat = (): boolean => (props.target?.kind ?? kind()) === 'chat'
  const chosen = (): { readonly path: string } | { readonly chat_id: string } => {
    const { target } = props
    if (target) return target.kind === 'file' ? { path: target.path } : { chat_id: target.chatId }
    return kind() === 'file' ? { path: path().trim() } : { chat_id: chatId() || (chats()?.[0]?.id ?? '') }
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    const expires = seconds[life()]
    try {
      props.onCreated(await api.post('/api/shares', { body: { ...chosen(), ...(expires !== undefined && { expires_in_secs: expires }) } }))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form class="body" novalidate onSubmit={(event) => void submit(event)}>
      <Show when={!props.target}>
        <SelectField
          label={t('what')}
          value={kind()}
          onInput={setKind}
          choices={[
            { value: 'file', label: t('file') },
            { value: 'chat', label: t('chat') },
          ]}
        />
        <Switch>
          <Match when={kind() === 'file'}>
            <TextField label={t('path')} help={t('path_help')} mono maxLength={1_000} spellcheck={false} value={path()} onInput={setPath} />
          </Match>
          <Match when={chats.error}>
            <p>{errorText(chats.error)}</p>
          </Match>
          <Match when={kind() === 'chat'}>
            <SelectField
              label={t('chat')}
              value={chatId() || (chats()?.[0]?.id ?? '')}
              onInput={setChatId}
              choices={(chats() ?? []).map(({ id, title }) => ({ value: id, label: title ?? t('untitled') }))}
            />
          </Match>
        </Switch>
      </Show>
      <p class="shares-note">{isChat() ? t('chat_note') : t('file_note')}</p>
      <SelectField
        label={t('life')}
        value={life()}
        onInput={setLife}
        choices={[
          { value: 'usual', label: t('life_usual') },
          { value: 'week', label: t('life_week') },
          { value: 'day', label: t('life_day') },
        ]}
      />
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <footer>
        <Button kind="quiet" onClick={props.onClose}>
          {ui('cancel')}
        </Button>
        <Button kind="main" type="submit" busy={busy()}>
          {t('create')}
        </Button>
      </footer>
    </form>
  )
}

function Ready(props: { readonly share: Created; readonly onClose: () => void }): JSX.Element {
  return (
    <div class="body">
      <p class="shares-note">{t('ready', { when: dayTimeText(props.share.expires_at) })}</p>
      <TextField
        label={t('page_link')}
        mono
        readOnly
        autofocus
        value={props.share.page_url}
        onInput={() => undefined}
        aside={<CopyButton text={() => props.share.page_url} label={t('copy_page')} />}
      />
      <TextField
        label={t('content_link')}
        mono
        readOnly
        value={props.share.content_url}
        onInput={() => undefined}
        aside={<CopyButton text={() => props.share.content_url} label={t('copy_content')} />}
      />
      <footer>
        <Button kind="main" onClick={props.onClose}>
          {t('done')}
        </Button>
      </footer>
    </div>
  )
}
