import {
  Button,
  CopyButton,
  commonText as common,
  createAction,
  Failure,
  isProblem,
  Mark,
  TextField,
  whileVisible,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { api, type Schemas } from '../../../api/index.js'
import type { Brand } from '../../../providers/draft.js'
import { t } from '../../../providers/texts.js'

type SignIn = Schemas['AccountSignIn']

/** How often the service is asked whether the person has signed in. */
const lookEveryMs = 2_000

/**
 * Signs in with an account at a brand, in place of a key: by a code for a page of the vendor, or by
 * a page that comes back. Leaving the form cancels what is pending.
 */
export function AccountSignIn(props: {
  readonly brand: Brand
  /** Whether an account has been signed in for this form. */
  readonly isSignedIn: boolean
  readonly onSignedIn: (credentialId: string) => void
}): JSX.Element {
  const [signIn, setSignIn] = createSignal<SignIn>()
  /** Why the service can no longer say how far it is. */
  const [lost, setLost] = createSignal<unknown>()
  const pending = (): SignIn | undefined => (signIn()?.state === 'pending' ? signIn() : undefined)
  const take = (next: SignIn): void => {
    setSignIn(next)
    if (next.state === 'completed' && next.credential_id !== undefined) props.onSignedIn(next.credential_id)
  }
  const step = createAction(async (work: () => Promise<SignIn>) => {
    setLost(undefined)
    take(await work())
  })
  const begin = () => step.run(() => api.post('/api/admin/credentials/sign-in', { body: { brand: props.brand.id } }))
  const cancel = (sign_in_id: string): void => {
    setSignIn(undefined)
    api.delete('/api/admin/credentials/sign-in/{sign_in_id}', { path: { sign_in_id } }).catch((cause: unknown) => {
      // One that has ended meanwhile has nothing to cancel.
      if (!isProblem(cause)) throw cause
    })
  }
  const look = async (sign_in_id: string): Promise<void> => {
    try {
      const found = await api.get('/api/admin/credentials/sign-in/{sign_in_id}', { path: { sign_in_id } })
      if (pending()?.sign_in_id === sign_in_id) take(found)
    } catch (cause) {
      // A service that does not answer is asked again; one that knows nothing of it has restarted.
      if (!isProblem(cause) || cause.status === 0) return
      setSignIn(undefined)
      setLost(() => cause)
    }
  }
  whileVisible(lookEveryMs, () => {
    const waiting = pending()
    if (waiting) void look(waiting.sign_in_id)
  })
  createEffect((before: string | undefined) => {
    const { id } = props.brand
    const waiting = pending()
    if (before !== undefined && before !== id && waiting) cancel(waiting.sign_in_id)
    return id
  }, undefined)
  onCleanup(() => {
    const waiting = pending()
    if (waiting) cancel(waiting.sign_in_id)
  })
  return (
    <section class="providers-account" aria-label={t('account')}>
      <Switch
        fallback={
          <>
            <Button busy={step.busy()} onClick={() => void begin()}>
              {t('account_begin', { brand: props.brand.name })}
            </Button>
            <p class="help">{t('account_help')}</p>
            <Show when={signIn()?.state === 'failed' ? signIn() : undefined}>
              {(failed) => (
                <p class="help err" role="alert">
                  <Mark name="fail" />
                  {t(`account_${failed().reason ?? 'refused'}`)}
                </p>
              )}
            </Show>
          </>
        }
      >
        <Match when={props.isSignedIn}>
          <p class="row" role="status">
            <Mark name="done" />
            {t('account_done', { brand: props.brand.name })}
          </p>
        </Match>
        <Match when={pending()}>
          {(waiting) => (
            <>
              <Show when={waiting().user_code}>
                {(code) => (
                  <>
                    <p>{t('account_code')}</p>
                    <p class="row">
                      <code class="providers-code">{code()}</code>
                      <CopyButton text={code} />
                    </p>
                  </>
                )}
              </Show>
              <p>
                <a class="btn" target="_blank" rel="noreferrer" href={waiting().verification_url ?? waiting().authorization_url}>
                  {t('account_open', { brand: props.brand.name })}
                </a>
              </p>
              <Show
                when={waiting().kind === 'browser' && waiting().returns_here === false}
                fallback={
                  <p class="row t2 small" role="status">
                    <Mark name="run" />
                    {t('account_waits')}
                  </p>
                }
              >
                <Redirected
                  onGiven={(url) => {
                    const path = { sign_in_id: waiting().sign_in_id }
                    void step.run(() => api.post('/api/admin/credentials/sign-in/{sign_in_id}/redirect', { path, body: { url } }))
                  }}
                />
              </Show>
              <Button size="small" kind="quiet" onClick={() => cancel(waiting().sign_in_id)}>
                {common('cancel')}
              </Button>
            </>
          )}
        </Match>
      </Switch>
      <Show when={step.failure() ?? lost()}>{(cause) => <Failure error={cause()} />}</Show>
    </section>
  )
}

/** The vendor leads to an address that nothing answers: the person copies it from there. */
function Redirected(props: { readonly onGiven: (url: string) => void }): JSX.Element {
  const [url, setUrl] = createSignal('')
  return (
    <>
      <TextField label={t('account_address')} type="url" mono help={t('account_address_help')} value={url()} onInput={setUrl} />
      <Button disabled={url().trim() === ''} onClick={() => props.onGiven(url().trim())}>
        {t('account_finish')}
      </Button>
    </>
  )
}
