import { SelectField, showToast } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { type JSX, Show } from 'solid-js'
import type { Role, Sender } from '../common/channel-api.js'
import { t } from '../common/texts.js'

/** Lets a person in who has told the code that they were shown. */
export function LetInDialog(props: {
  readonly person: Sender
  readonly name: string
  readonly onLetIn: (role: Role) => Promise<unknown>
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const form = createForm({
    initial: { role: 'guest' as Role },
    async submit({ role }) {
      await props.onLetIn(role)
      showToast(t('let_in_done', { name: props.name }))
      props.onDone()
    },
  })
  return (
    <FormDialog form={form} title={t('let_in_question', { name: props.name })} action={t('let_in')} onClose={props.onClose}>
      <p class="channels-note">{t('let_in_text')}</p>
      <Show when={props.person.code}>
        {(code) => (
          <p class="channels-note">
            {t('code')} <bdi class="mono channels-code">{code()}</bdi>
          </p>
        )}
      </Show>
      <RoleField {...form.field('role')} />
    </FormDialog>
  )
}

/** Whether a person is the owner of the account, or another one. */
export const RoleField = (props: { readonly value: Role; readonly onInput: (role: Role) => void }): JSX.Element => (
  <SelectField
    label={t('role')}
    help={t(`role_help_${props.value}`)}
    value={props.value}
    onInput={props.onInput}
    choices={(['guest', 'owner'] as const).map((value) => ({ value, label: t(`role_${value}`) }))}
  />
)
