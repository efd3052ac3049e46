import { Button, Dialog, Failure, pageQuery, readAll, SelectField, Skeleton, commonText as ui } from '@agent-service/sdk/web'
import { type FormSchema, type FormValue, SchemaForm } from '@agent-service/sdk/web/forms'
import { createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { t as vaultTexts } from '../../vaults/texts.js'
import type { Vault } from '../../vaults/vault-state.js'
import { formOf, isForeign } from './connector-words.js'
import { t } from './texts.js'

type Connector = Schemas['VaultConnector']

/** Connects a vault with the form of its connector, or one again: then its secrets are entered again too. */
export function ConnectionForm(props: {
  readonly vault?: Vault | undefined
  readonly onClose: () => void
  readonly onDone: (vault: Vault) => void
}): JSX.Element {
  const connectors = createQuery({
    key: () => ['connectors'],
    read: (signal) => readAll((cursor) => api.get('/api/vaults/connectors', { query: pageQuery(cursor), signal })),
    // The form that is being filled in is made of it.
    follow: false,
  })
  const [chosen, setChosen] = createSignal<string | undefined>(props.vault?.connector)
  const connector = createMemo(
    (): Connector | undefined =>
      connectors.value()?.find(({ id }) => id === chosen()) ?? (props.vault ? undefined : connectors.value()?.[0]),
  )
  const submit = async (value: FormValue): Promise<void> => {
    const { vault } = props
    const members = (value['members'] ?? {}) as Record<string, unknown>
    if (vault) props.onDone(await api.patch('/api/vaults/{vault_id}', { path: { vault_id: vault.id }, body: { members } }))
    else if (connector())
      props.onDone(
        await api.post('/api/vaults', { body: { connector: connector()?.id ?? '', title: String(value['title']).trim(), members } }),
      )
  }
  return (
    <Dialog title={props.vault ? t('change_title', { title: props.vault.title }) : t('add')} modalOnly onClose={props.onClose}>
      <div class="body">
        <Switch>
          <Match when={connectors.error()}>
            {(error) => (
              <>
                <Failure error={error()} onRetry={() => void connectors.reload()} />
                <Footer onClose={props.onClose} />
              </>
            )}
          </Match>
          <Match when={!connectors.value()}>
            <Skeleton lines={4} />
          </Match>
          <Match when={!connector()}>
            <p>{props.vault ? vaultTexts('why_plugin') : t('connectors_none_text')}</p>
            <Footer onClose={props.onClose} />
          </Match>
          <Match when={connector()} keyed>
            {(found) => (
              <>
                <Show
                  when={props.vault}
                  fallback={
                    <SelectField
                      label={t('connector')}
                      value={found.id}
                      onInput={setChosen}
                      choices={(connectors.value() ?? []).map(({ id, title }) => ({ value: id, label: title }))}
                    />
                  }
                >
                  <p class="vaults-note">{t('change_help')}</p>
                </Show>
                <div lang={isForeign(found.id) ? 'en' : undefined}>
                  <SchemaForm
                    schema={schemaOf(found, props.vault === undefined)}
                    value={props.vault ? { members: props.vault.members } : { title: found.title }}
                    action={t('connect')}
                    onSubmit={submit}
                    onCancel={props.onClose}
                  />
                </div>
              </>
            )}
          </Match>
        </Switch>
      </div>
    </Dialog>
  )
}

const Footer = (props: { readonly onClose: () => void }): JSX.Element => (
  <footer>
    <Button onClick={() => props.onClose()}>{ui('close')}</Button>
  </footer>
)

/** The body of the request as a form: the pointers of its problems lead to the fields. */
function schemaOf(connector: Connector, hasTitle: boolean): FormSchema {
  const members: FormSchema = { ...formOf(connector), title: connector.title }
  const title: FormSchema = { type: 'string', title: t('title_of'), minLength: 1, maxLength: 200 }
  return {
    type: 'object',
    properties: { ...(hasTitle && { title }), members },
    required: [...(hasTitle ? ['title'] : []), 'members'],
  }
}
