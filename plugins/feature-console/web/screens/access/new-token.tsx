import {
  Button,
  Checkbox,
  commonText as common,
  Dialog,
  Failure,
  isAdmin,
  isProblem,
  Mark,
  SelectField,
  TextField,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Scope = Schemas['Token']['scopes'][number]

const ends = ['30', '90', '365', 'never'] as const
const scopes: readonly Scope[] = ['read', 'write', 'inference', 'metrics', 'admin']

/** Asks what a token is for and what it may do. */
export function NewToken(props: {
  readonly onClose: () => void
  readonly onCreated: (token: Schemas['CreatedToken']) => void
}): JSX.Element {
  const [name, setName] = createSignal('')
  const [end, setEnd] = createSignal<(typeof ends)[number]>('90')
  const [chosen, setChosen] = createSignal<readonly Scope[]>(['read', 'write'])
  const [tried, setTried] = createSignal(false)
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const create = async (): Promise<void> => {
    setTried(true)
    if (busy() || name().trim() === '' || chosen().length === 0) return
    setBusy(true)
    setFailure(undefined)
    const days = end() === 'never' ? {} : { expires_in_days: Number(end()) }
    try {
      props.onCreated(await api.post('/api/auth/tokens', { body: { name: name().trim(), scopes: [...chosen()], ...days } }))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const nameError = (): string | undefined => {
    const error = failure()
    if (isProblem(error)) return error.messageFor('/name')
    return tried() && name().trim() === '' ? common('required') : undefined
  }
  return (
    <Dialog title={t('new_token')} onClose={props.onClose}>
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <TextField
          label={t('name')}
          autofocus
          required
          maxLength={100}
          value={name()}
          onInput={setName}
          help={t('name_help')}
          error={nameError()}
        />
        <SelectField
          label={t('valid')}
          value={end()}
          onInput={setEnd}
          choices={ends.map((value) => ({ value, label: t(`valid_${value}`) }))}
        />
        <fieldset>
          <legend class="lbl access-legend">{t('scopes')}</legend>
          <For each={scopes.filter((scope) => (scope !== 'admin' && scope !== 'metrics') || isAdmin())}>
            {(scope) => (
              <Checkbox
                label={t(`scope_${scope}`)}
                help={t(`scope_${scope}_help`)}
                value={chosen().includes(scope)}
                onInput={(on) => setChosen((before) => (on ? [...before, scope] : before.filter((other) => other !== scope)))}
              />
            )}
          </For>
          <Show when={tried() && chosen().length === 0}>
            <p class="help err" role="alert">
              <Mark name="fail" />
              {t('no_scope')}
            </p>
          </Show>
        </fieldset>
        <Show when={failure() !== undefined && nameError() === undefined}>
          <Failure error={failure()} />
        </Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {common('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()}>
            {t('create')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
