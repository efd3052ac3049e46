import { Button, defineSetUpStep, type SetUpStepProps } from '@agent-service/sdk/web'
import { ChoiceCards, type Configuration, lockOf, membersOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { t } from './texts.js'

/** What each answer writes into the configuration file. */
const answers = {
  invited: { 'auth.allow_registration': false },
  approval: { 'auth.allow_registration': true, 'auth.registration_approval': true },
  open: { 'auth.allow_registration': true, 'auth.registration_approval': false },
} as const
type Answer = keyof typeof answers
const order: readonly Answer[] = ['invited', 'approval', 'open']

/** Asks who may make an account. Until somebody has answered, people who sign up wait for an admin. */
export default defineSetUpStep({
  order: 10,
  title: { en: 'New accounts', de: 'Neue Konten' },
  heading: { en: 'Who may make an account?', de: 'Wer darf ein Konto anlegen?' },
  lead: {
    en: 'You are the administrator. Until you answer, people who sign up wait for you.',
    de: 'Du bist der Administrator. Bis du antwortest, warten alle auf dich, die sich registrieren.',
  },
  read: async ({ configuration, noted }) =>
    lockOf(configuration, 'auth.allow_registration') === undefined
      ? { isDone: noted === 'done' || isDecided(configuration), found: undefined }
      : undefined,
  View: Registration,
})

/** The file says who may make an account. */
function isDecided({ saved }: Configuration): boolean {
  const { allow_registration: allow, registration_approval: approval } = membersOf(saved['auth'])
  return allow !== undefined || approval !== undefined
}

function Registration(props: SetUpStepProps<undefined>): JSX.Element {
  const form = createForm<{ readonly answer: Answer }>({
    initial: { answer: 'invited' },
    submit: async ({ answer }) => {
      if (!(await saveConfiguration({ set: answers[answer] }))) return false
      return props.onDone()
    },
  })
  return (
    <FormView
      class="form"
      form={form}
      buttons={
        <div class="form-foot">
          <Button kind="main" type="submit" busy={form.busy()}>
            {t('save_and_continue')}
          </Button>
          {props.skip}
        </div>
      }
    >
      <ChoiceCards legend={t('registration_title')} isLegendHidden choices={order} {...form.field('answer')}>
        {(answer) => (
          <>
            <b>{t(`registration_${answer}`)}</b>
            <span class="small t2">{t(`registration_${answer}_text`)}</span>
          </>
        )}
      </ChoiceCards>
    </FormView>
  )
}
