import { Button, Failure, momentText, SelectField, showToast, whenText } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../../api/index.js'
import { type Binding, BindingFields, bindingsBody } from '../../../credentials/binding-fields.js'
import type { Grant } from '../../../credentials/source.js'
import { type Term, termBody, termChoices, termText } from '../../../credentials/terms.js'
import { t as shared } from '../../../credentials/texts.js'
import { t } from '../common/texts.js'

/** Says when a grant was made and used, and changes how long it lasts and its variables, or revokes it. */
export function ChangeGrant(props: {
  readonly grant: Grant
  readonly agent: string
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const { grant } = props
  const [term, setTerm] = createSignal<Term | 'kept'>('kept')
  const [bindings, setBindings] = createSignal<readonly Binding[]>(
    grant.fields.map(({ name, variable, as }) => ({ field: name, variable: variable ?? '', as })),
  )
  const save = async (): Promise<void> => {
    const chosen = term()
    await api.patch('/api/credentials/grants/{grant_id}', {
      path: { grant_id: grant.id },
      body: { bindings: bindingsBody(bindings()), ...(chosen !== 'kept' && termBody(chosen)) },
    })
    showToast(t('grant_changed'))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('grant_change_title', { title: grant.title, agent: props.agent })}
      action={t('save')}
      wide
      onSubmit={save}
      onClose={props.onClose}
      aside={<Revoke grant={grant} agent={props.agent} onDone={props.onDone} />}
    >
      {(problems) => (
        <>
          <p class="credentials-note">
            <code>{grant.name}</code>{' '}
            <span title={momentText(grant.created_at)}>
              {t(grant.created_by === 'answer' ? 'grant_since_answer' : 'grant_since', { when: whenText(grant.created_at) })}
            </span>{' '}
            {t('grant_uses', { count: grant.uses, when: grant.used_at === null ? '' : whenText(grant.used_at) })}
          </p>
          <SelectField
            label={shared('lasts')}
            value={term()}
            onInput={setTerm}
            choices={[{ value: 'kept', label: t('grant_kept', { term: termText(grant) }) }, ...termChoices()]}
          />
          <BindingFields bindings={bindings()} problems={problems()} help={shared('variable_none_help')} onInput={setBindings} />
        </>
      )}
    </OldFormDialog>
  )
}

/** Takes effect at once: nothing is lost that cannot be granted again. */
function Revoke(props: { readonly grant: Grant; readonly agent: string; readonly onDone: () => void }): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const revoke = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api.delete('/api/credentials/grants/{grant_id}', { path: { grant_id: props.grant.id } })
      showToast(t('revoked', { agent: props.agent, title: props.grant.title }))
      props.onDone()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button kind="danger" busy={busy()} onClick={() => void revoke()}>
        {t('revoke')}
      </Button>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
    </>
  )
}
