import {
  Button,
  CopyButton,
  commonText as common,
  Dialog,
  Failure,
  fieldMessage,
  minuteText,
  SelectField,
  TextField,
  whenConfirmed,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from './admission-texts.js'

/** Makes an invitation. Its link is shown once. */
export function Invite(props: { readonly onClose: () => void; readonly onMade: () => void }): JSX.Element {
  const [name, setName] = createSignal('')
  const [email, setEmail] = createSignal('')
  const [role, setRole] = createSignal<'user' | 'admin'>('user')
  const [hours, setHours] = createSignal('168')
  const [uses, setUses] = createSignal('1')
  const [made, setMade] = createSignal<Schemas['NewInvitation']>()
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      await whenConfirmed(t('confirm_admin'), async () => {
        const body = {
          role: role(),
          expires_in_hours: Number(hours()),
          max_uses: Number(uses()),
          ...(name().trim() !== '' && { name: name().trim() }),
          ...(email().trim() !== '' && { email: email().trim() }),
        }
        setMade(await api.post('/api/admin/invitations', { body }))
        props.onMade()
      })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const problemAt = (path: string): string | undefined => fieldMessage(failure(), path, '')
  const isShown = (): boolean => ['/email', '/name', '/max_uses'].some((path) => problemAt(path) !== undefined)
  return (
    <Dialog title={made() ? t('made') : t('invite')} modalOnly={made() !== undefined} onClose={props.onClose}>
      <Show
        when={made()}
        fallback={
          <form novalidate onSubmit={(event) => void make(event)}>
            <TextField label={t('name')} name="invite-name" autofocus value={name()} onInput={setName} error={problemAt('/name')} />
            <TextField
              label={t('email')}
              type="email"
              name="invite-email"
              value={email()}
              onInput={setEmail}
              help={t('any_address')}
              error={problemAt('/email')}
            />
            <SelectField
              label={t('role')}
              value={role()}
              onInput={setRole}
              choices={[
                { value: 'user', label: t('role_user') },
                { value: 'admin', label: t('role_admin') },
              ]}
            />
            <SelectField label={t('valid')} value={hours()} onInput={setHours} choices={lifetimes()} />
            <TextField label={t('uses')} type="number" value={uses()} onInput={setUses} error={problemAt('/max_uses')} />
            <Show when={failure() !== undefined && !isShown()}>
              <Failure error={failure()} />
            </Show>
            <footer>
              <Button kind="quiet" onClick={() => props.onClose()}>
                {common('cancel')}
              </Button>
              <Button kind="main" type="submit" busy={busy()}>
                {t('make')}
              </Button>
            </footer>
          </form>
        }
      >
        {(invitation) => <Made invitation={invitation()} onClose={props.onClose} />}
      </Show>
    </Dialog>
  )
}

function Made(props: { readonly invitation: Schemas['NewInvitation']; readonly onClose: () => void }): JSX.Element {
  const letter = (): string => {
    const { email, link, expires_at: end } = props.invitation
    const text = `${t('letter', { time: minuteText(end) })}\n\n${link}`
    return `mailto:${encodeURIComponent(email ?? '')}?subject=${encodeURIComponent(t('subject'))}&body=${encodeURIComponent(text)}`
  }
  return (
    <div class="body">
      <div class="field">
        <span class="lbl">{t('link')}</span>
        <div class="users-secret">
          <code>{props.invitation.link}</code>
          <CopyButton text={() => props.invitation.link} label={t('link_copy')} />
        </div>
        <p class="help">{`${t('link_help')} ${t('link_until', { time: minuteText(props.invitation.expires_at) })}`}</p>
      </div>
      <footer>
        <a class="btn quiet" href={letter()}>
          {t('write_mail')}
        </a>
        <Button kind="main" ref={(element) => queueMicrotask(() => element.focus())} onClick={() => props.onClose()}>
          {t('done')}
        </Button>
      </footer>
    </div>
  )
}

const lifetimes = () => [
  { value: '1', label: t('hour') },
  ...[1, 7, 30].map((count) => ({ value: String(count * 24), label: t('days', { count }) })),
]
