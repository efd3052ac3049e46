import { Button, createAction, Failure, momentText, SelectField, showToast, whenText } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { type JSX, Show } from 'solid-js'
import { api } from '../../../api/index.js'
import { BindingFields, bindingsBody, boundIn } from '../../../credentials/binding-fields.js'
import type { Grant } from '../../../credentials/source.js'
import { type Term, termBody, termChoices, termText } from '../../../credentials/terms.js'
import { t as shared } from '../../../credentials/texts.js'
import { t } from '../common/texts.js'

/** Says when a grant was made and used, and changes how long it lasts and its variables, or revokes it. */
export function ChangeGrant(props: { readonly grant: Grant; readonly agent: string; readonly onClose: () => void }): JSX.Element {
  const { grant } = props
  const form = createForm({
    initial: { term: 'kept' as Term | 'kept', bindings: boundIn(grant.fields) },
    submit: async ({ term, bindings }) => {
      await api.patch('/api/credentials/grants/{grant_id}', {
        path: { grant_id: grant.id },
        body: { bindings: bindingsBody(bindings), ...(term !== 'kept' && termBody(term)) },
      })
      showToast(t('grant_changed'))
      props.onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('grant_change_title', { title: grant.title, agent: props.agent })}
      action={t('save')}
      wide
      onClose={props.onClose}
      aside={<Revoke grant={grant} agent={props.agent} onDone={props.onClose} />}
    >
      <p class="credentials-note">
        <code>{grant.name}</code>{' '}
        <span title={momentText(grant.created_at)}>
          {t(grant.created_by === 'answer' ? 'grant_since_answer' : 'grant_since', { when: whenText(grant.created_at) })}
        </span>{' '}
        {t('grant_uses', { count: grant.uses, when: grant.used_at === null ? '' : whenText(grant.used_at) })}
      </p>
      <SelectField
        label={shared('lasts')}
        {...form.field('term', '/expires_in_secs')}
        choices={[{ value: 'kept', label: t('grant_kept', { term: termText(grant) }) }, ...termChoices()]}
      />
      <BindingFields
        bindings={form.values().bindings}
        problem={form.problem}
        help={shared('variable_none_help')}
        onInput={(bindings) => form.set('bindings', bindings)}
      />
    </FormDialog>
  )
}

/** Takes effect at once: nothing is lost that cannot be granted again. */
function Revoke(props: { readonly grant: Grant; readonly agent: string; readonly onDone: () => void }): JSX.Element {
  const revoke = createAction(async () => {
    await api.delete('/api/credentials/grants/{grant_id}', { path: { grant_id: props.grant.id } })
    showToast(t('revoked', { agent: props.agent, title: props.grant.title }))
    props.onDone()
  })
  return (
    <>
      <Button kind="danger" busy={revoke.busy()} onClick={() => void revoke.run()}>
        {t('revoke')}
      </Button>
      <Show when={revoke.failure()}>{(error) => <Failure error={error()} />}</Show>
    </>
  )
}
