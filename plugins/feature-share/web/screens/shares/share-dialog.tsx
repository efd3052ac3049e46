import {
  Button,
  CopyButton,
  Dialog,
  dayTimeText,
  errorText,
  type ItemTarget,
  SelectField,
  TextField,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, invalidate, type Schemas } from '../../api/index.js'
import './shares.css'
import { t } from './texts.js'

type Created = Schemas['NewShare']
type Life = 'usual' | 'week' | 'day'
const daySeconds = 86_400
const seconds: Readonly<Record<Life, number | undefined>> = { usual: undefined, week: 7 * daySeconds, day: daySeconds }

/** What is asked for. */
interface Wanted {
  readonly kind: 'file' | 'chat'
  readonly path: string
  /** Empty: the first one. */
  readonly chatId: string
  readonly life: Life
}

/** Makes a link, to the given target or to one that is chosen here, and shows it once. */
export function ShareDialog(props: { readonly target?: ItemTarget; readonly onClose: () => void }): JSX.Element {
  const [created, setCreated] = createSignal<Created>()
  const title = (): string => (props.target ? t('share_title', { name: props.target.name }) : t('new_link'))
  return (
    <Dialog title={created() ? t('ready_title') : title()} onClose={props.onClose}>
      <Show
        when={created()}
        fallback={<Form onClose={props.onClose} {...(props.target && { target: props.target })} onCreated={setCreated} />}
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
  const form = createForm<Wanted>({
    initial: { kind: 'file', path: 'files/', chatId: '', life: 'usual' },
    async submit(wanted) {
      const expires = seconds[wanted.life]
      props.onCreated(
        await api.post('/api/shares', { body: { ...chosen(wanted), ...(expires !== undefined && { expires_in_secs: expires }) } }),
      )
      invalidate(['shares'])
    },
  })
  const kind = (): Wanted['kind'] => form.values().kind
  const chats = createQuery({
    key: () => (!props.target && kind() === 'chat' ? ['chats'] : undefined),
    read: async (signal) => (await api.get('/api/chats', { query: { limit: 50 }, signal })).items,
  })
  const isChat = (): boolean => (props.target?.kind ?? kind()) === 'chat'
  const chatId = (): string => form.values().chatId || (chats.value()?.[0]?.id ?? '')
  const chosen = ({ path }: Wanted): { readonly path: string } | { readonly chat_id: string } => {
    const { target } = props
    if (target) return target.kind === 'file' ? { path: target.path } : { chat_id: target.chatId }
    return kind() === 'file' ? { path: path.trim() } : { chat_id: chatId() }
  }
  return (
    <FormView
      class="body"
      form={form}
      buttons={
        <footer>
          <Button kind="quiet" onClick={props.onClose}>
            {ui('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={form.busy()}>
            {t('create')}
          </Button>
        </footer>
      }
    >
      <Show when={!props.target}>
        <SelectField
          label={t('what')}
          {...form.field('kind')}
          choices={[
            { value: 'file', label: t('file') },
            { value: 'chat', label: t('chat') },
          ]}
        />
        <Switch>
          <Match when={kind() === 'file'}>
            <TextField label={t('path')} help={t('path_help')} mono maxLength={1_000} spellcheck={false} {...form.field('path')} />
          </Match>
          <Match when={chats.error()}>{(error) => <p>{errorText(error())}</p>}</Match>
          <Match when={kind() === 'chat'}>
            <SelectField
              label={t('chat')}
              {...form.field('chatId', '/chat_id')}
              value={chatId()}
              choices={(chats.value() ?? []).map(({ id, title }) => ({ value: id, label: title ?? t('untitled') }))}
            />
          </Match>
        </Switch>
      </Show>
      <p class="shares-note">{isChat() ? t('chat_note') : t('file_note')}</p>
      <SelectField
        label={t('life')}
        {...form.field('life', '/expires_in_secs')}
        choices={[
          { value: 'usual', label: t('life_usual') },
          { value: 'week', label: t('life_week') },
          { value: 'day', label: t('life_day') },
        ]}
      />
    </FormView>
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
