import { BannerBar, Button, commonText as common, createAction, errorText, isProblem } from '@agent-service/sdk/web'
import { focusProblem } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import { type Adapter, type Brand, type Draft, isReference, requestOf } from '../../../providers/draft.js'
import { createLiveTest, LiveTestResult } from '../../../providers/live-test.js'
import { t } from '../../../providers/texts.js'
import { AccountSignIn } from './account-sign-in.js'
import { ConnectionFields } from './connection-fields.js'
import { saveConnection } from './save-connection.js'

/**
 * Adds or changes a connection: it is tested before it is saved, and saved anyway if the person
 * wants that. A failure keeps everything that was typed.
 */
export function ConnectionForm(props: {
  readonly initial: Draft
  readonly isNew: boolean
  readonly brands: readonly Brand[]
  readonly adapters: readonly Adapter[]
  readonly taken: readonly string[]
  /** The managed credential that it uses already. */
  readonly credentialId?: string | undefined
  /** Whether a key of another kind is configured. */
  readonly hasOtherKey?: boolean
  /** The verb of the main button. */
  readonly action: string
  readonly onSaved: (handle: string) => void | Promise<void>
  readonly onCancel?: () => void
  /** Beside the buttons, as to skip a step. */
  readonly aside?: JSX.Element
}): JSX.Element {
  const [draft, setDraft] = createStore<{ -readonly [Name in keyof Draft]: Draft[Name] }>({ ...props.initial })
  const [problems, setProblems] = createSignal<Readonly<Record<string, string>>>({})
  const test = createLiveTest()
  const [account, setAccount] = createSignal<{ readonly id: string; readonly brand: string }>()
  /** The account that was signed in here, or the credential that the connection has. */
  const credentialId = (): string | undefined => (account()?.brand === draft.brand ? account()?.id : props.credentialId)
  /** A key that was stored by an attempt whose second half failed. */
  let stored: { readonly id: string; readonly key: string; readonly brand: string } | undefined

  const brand = (): Brand | undefined => props.brands.find(({ id }) => id === draft.brand)
  const change = (next: Partial<Draft>): void => {
    setDraft(next)
    setProblems({})
    test.forget()
  }
  const missing = (): Record<string, string> => {
    const found: Record<string, string> = {}
    const adapter = props.adapters.find(({ id }) => id === draft.adapter)
    const needsAddress = brand()?.requires_base_url ?? adapter?.requires_base_url ?? true
    if (needsAddress && draft.baseUrl.trim() === '') found['base_url'] = common('required')
    if (draft.baseUrl.trim() !== '' && !/^https?:\/\/\S+$/.test(draft.baseUrl.trim())) found['base_url'] = t('address_wrong')
    const needsKey = brand()?.authentication.every((way) => way === 'api_key') ?? false
    if (needsKey && draft.key.trim() === '' && credentialId() === undefined && !props.hasOtherKey) found['api_key'] = common('required')
    if (/[^\x21-\x7e]/.test(draft.key.trim())) found['api_key'] = t('key_wrong')
    if (!/^[a-zA-Z0-9][a-zA-Z0-9._ -]{0,63}$/.test(draft.handle)) found['handle'] = t('handle_wrong')
    if (props.isNew && props.taken.includes(draft.handle)) found['handle'] = t('handle_taken')
    return found
  }
  let form: HTMLFormElement | undefined
  const isComplete = (): boolean => {
    const found = missing()
    setProblems(found)
    if (Object.keys(found).length === 0) return true
    if (form) void focusProblem(form)
    return false
  }
  /** A reference is resolved only once the service runs with it. */
  const isUntestable = (): boolean => isReference(draft.key)
  const runTest = async (): Promise<boolean> => {
    saving.clear()
    return isComplete() && (await test.run(requestOf(draft, credentialId())))
  }
  const saving = createAction(async (anyway: boolean) => {
    if (!anyway && !isUntestable() && test.result()?.ok !== true && !(await runTest())) return
    const isSaved = await saveConnection({
      draft: { ...draft },
      isNew: props.isNew,
      credentialId: props.credentialId,
      account: account()?.brand === draft.brand ? account()?.id : undefined,
      stored,
      onStored: (next) => {
        stored = next
      },
    })
    if (isSaved) await props.onSaved(draft.handle)
  })
  const save = async (anyway: boolean): Promise<void> => {
    if (saving.busy() || !isComplete() || (await saving.run(anyway))) return
    const error = saving.failure()
    if (isProblem(error)) setProblems(fieldsOf(error.errors))
  }
  return (
    <form
      ref={(element) => {
        form = element
      }}
      class="form"
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(false)
      }}
    >
      <Show when={saving.failure()}>{(error) => <BannerBar banner={{ id: 'form', tone: 'danger', text: errorText(error()) }} />}</Show>
      <ConnectionFields
        draft={draft}
        brands={props.brands}
        adapters={props.adapters}
        taken={props.taken}
        isNew={props.isNew}
        hasKey={credentialId() !== undefined || (props.hasOtherKey ?? false)}
        errorOf={(member) => problems()[member]}
        account={
          <Show when={brand()?.sign_in && brand()}>
            {(found) => (
              <AccountSignIn
                brand={found()}
                isSignedIn={account()?.brand === draft.brand}
                onSignedIn={(id) => {
                  setAccount({ id, brand: draft.brand })
                  change({ key: '' })
                }}
              />
            )}
          </Show>
        }
        onChange={change}
      />
      <LiveTestResult test={test} />
      <div class="form-foot">
        <Button kind="main" type="submit" busy={saving.busy()}>
          {saving.busy() ? (test.isRunning() ? t('testing') : t('saving')) : props.action}
        </Button>
        <Show when={test.result()?.ok === false || test.error() !== undefined}>
          <Button onClick={() => void save(true)}>{t('save_anyway')}</Button>
        </Show>
        <Show when={!saving.busy() && !isUntestable()}>
          <Button kind="quiet" onClick={() => void runTest()}>
            {t('test')}
          </Button>
        </Show>
        <Show when={props.onCancel}>
          {(cancel) => (
            <Button kind="quiet" onClick={() => cancel()()}>
              {common('cancel')}
            </Button>
          )}
        </Show>
        {props.aside}
      </div>
      <Show when={isReference(draft.key)}>
        <p class="help">{t('reference_note')}</p>
      </Show>
    </form>
  )
}

/** Problems at paths of the configuration or of a body, by the member of the form. */
const fieldsOf = (errors: readonly { readonly path: string; readonly message: string }[]): Record<string, string> =>
  Object.fromEntries(errors.map(({ path, message }) => [path.split(/[./]/).at(-1) ?? '', message]))
