import {
  agentName,
  Checkbox,
  Field,
  isAdmin,
  isProblem,
  navigate,
  SelectField,
  showToast,
  TextArea,
  TextField,
} from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { type JSX, Show } from 'solid-js'
import { type Agent, type Audience, createSkill, hrefOf, installSkill, placeOfNew } from './skill.js'
import { t } from './texts.js'

interface DialogProps {
  readonly agents: readonly Agent[]
  readonly onClose: () => void
}

function AudienceField(props: {
  readonly agents: readonly Agent[]
  readonly value: Audience
  readonly onInput: (value: Audience) => void
}): JSX.Element {
  return (
    <SelectField<Audience>
      label={t('for_whom')}
      value={props.value}
      onInput={props.onInput}
      choices={[
        { value: 'user', label: t('for_me') },
        ...props.agents.map(({ id, name }) => ({ value: `agent:${id}` as const, label: t('for_agent', { name: agentName(name) }) })),
        ...(isAdmin() ? [{ value: 'shared' as const, label: t('for_shared') }] : []),
      ]}
    />
  )
}

/** Makes a skill from a template. What was typed stays when the service refuses it. */
export function CreateDialog(props: DialogProps): JSX.Element {
  const form = createForm({
    initial: { name: '', description: '', audience: 'user' as Audience },
    codes: { skill_exists: '/name' },
    async submit({ name, description, audience }) {
      const made = await createSkill(audience, { name: name.trim(), description: description.trim() })
      props.onClose()
      await navigate(hrefOf(placeOfNew(audience, made.name)))
    },
  })
  const nameProblem = (): string | undefined => {
    const said = form.problem('/name')
    return said === undefined || isProblem(form.error(), 'skill_exists') ? said : t('name_help')
  }
  return (
    <FormDialog form={form} title={t('new')} action={t('create')} dismissible onClose={props.onClose}>
      <p class="help skills-lead">{t('create_lead')}</p>
      <TextField label={t('name')} help={t('name_help')} autofocus mono maxLength={64} {...form.field('name')} error={nameProblem()} />
      <TextArea label={t('description')} help={t('description_help')} rows={3} {...form.field('description')} />
      <AudienceField agents={props.agents} {...form.field('audience')} />
    </FormDialog>
  )
}

interface Install {
  readonly from: 'file' | 'url'
  readonly file: File | undefined
  readonly url: string
  readonly replace: boolean
  readonly audience: Audience
}

/** What is wrong with what is installed, wherever it is from. */
const refusals = ['skill_refused', 'skill_invalid', 'skill_exists', 'skill_fetch_failed', 'too_many_skills']

/** Installs a skill from an archive or an address. */
export function InstallDialog(props: DialogProps): JSX.Element {
  const form = createForm<Install>({
    initial: { from: 'file', file: undefined, url: '', replace: false, audience: 'user' },
    codes: Object.fromEntries(refusals.map((code) => [code, '/url'])),
    check: ({ from, file }) => (from === 'file' && !file ? { '/url': t('archive_help') } : {}),
    async submit({ from, file, url, replace, audience }) {
      const made = await installSkill(audience, from === 'file' && file ? { file } : { url: url.trim() }, replace)
      props.onClose()
      showToast(t('installed', { name: made.name }))
      await navigate(hrefOf(placeOfNew(audience, made.name)))
    },
  })
  return (
    <FormDialog form={form} title={t('install_title')} action={t('install')} dismissible onClose={props.onClose}>
      <p class="help skills-lead">{t('install_lead')}</p>
      <SelectField
        label={t('from')}
        {...form.field('from')}
        choices={[
          { value: 'file', label: t('from_file') },
          { value: 'url', label: t('from_url_choice') },
        ]}
      />
      <Show
        when={form.values().from === 'file'}
        fallback={<TextField type="url" label={t('address')} help={t('address_help')} {...form.field('url')} />}
      >
        <Field label={t('archive')} help={t('archive_help')} error={form.problem('/url')}>
          {({ id, describedBy }) => (
            <input
              id={id}
              class="skills-file"
              type="file"
              accept=".zip,.gz,.tgz,application/zip,application/gzip"
              aria-invalid={form.problem('/url') !== undefined}
              aria-describedby={describedBy}
              onChange={(event) => form.set('file', event.currentTarget.files?.[0])}
            />
          )}
        </Field>
      </Show>
      <AudienceField agents={props.agents} {...form.field('audience')} />
      <Checkbox label={t('replace')} {...form.field('replace')} />
    </FormDialog>
  )
}
