import { signInOptions, TextField } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { AccountForm } from '../../accounts/sign-in/account-form.js'
import { codeOfAddress } from '../../accounts/sign-in/setup-code.js'
import { t as shared } from '../../accounts/sign-in/texts.js'
import { Unencrypted } from '../../accounts/sign-in/unencrypted.js'
import { Door } from '../../shell/door.js'
import { t } from './texts.js'

/** The administrator's account of a new installation. */
export function FirstAccount(): JSX.Element {
  return (
    <Door title={t('set_up')} lead={t('account_note')}>
      <Unencrypted />
      <Show when={signInOptions()?.local_auth}>
        <AccountForm next="/set-up" action={shared('create')} confirms />
      </Show>
      <Show when={signInOptions()?.sso.enabled}>
        <SingleSignOn alone={!signInOptions()?.local_auth} />
      </Show>
    </Door>
  )
}

/** The first account by single sign-on; from another machine it needs the code too. */
function SingleSignOn(props: { readonly alone: boolean }): JSX.Element {
  const [code, setCode] = createSignal(codeOfAddress())
  const address = (): string => {
    const query = new URLSearchParams({ return_to: '/set-up', ...(code() !== '' && { setup_code: code().trim() }) })
    return `/api/auth/sso/login?${query.toString()}`
  }
  return (
    <div class="l door-foot">
      <Show when={props.alone} fallback={<div class="or">{t('or')}</div>}>
        <TextField label={shared('setup_code')} mono value={code()} onInput={setCode} help={t('setup_code_elsewhere')} />
      </Show>
      <a class="btn l wide" classList={{ main: props.alone }} href={address()}>
        {t('sso')}
      </a>
    </div>
  )
}
