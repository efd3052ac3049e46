import {
  agentName,
  Button,
  Checkbox,
  Dialog,
  errorText,
  Failure,
  Field,
  isAdmin,
  isProblem,
  navigate,
  SelectField,
  showToast,
  TextArea,
  TextField,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
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

function Buttons(props: { readonly busy: boolean; readonly action: string; readonly onClose: () => void }): JSX.Element {
  return (
    <footer>
      <Button kind="quiet" onClick={() => props.onClose()}>
        {ui('cancel')}
      </Button>
      <Button kind="main" type="submit" busy={props.busy}>
        {props.action}
      </Button>
    </footer>
  )
}

/** Makes a skill from a template. What was typed stays when the service refuses it. */
export function CreateDialog(props: DialogProps): JSX.Element {
  const [name, setName] = createSignal('')
  const [description, setDescription] = createSignal('')
  const [audience, setAudience] = createSignal<Audience>('user')
  const [failure, setFailure] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  const messageFor = (path: string): string | undefined => {
    const error = failure()
    if (path === '/name' && isProblem(error, 'skill_exists')) return error.message
    const message = isProblem(error) ? error.messageFor(path) : undefined
    return message !== undefined && path === '/name' ? t('name_help') : message
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const made = await createSkill(audience(), { name: name().trim(), description: description().trim() })
      props.onClose()
      await navigate(hrefOf(placeOfNew(audience(), made.name)))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const isOfField = (): boolean => messageFor('/name') !== undefined || messageFor('/description') !== undefined
  return (
    <Dialog title={t('new')} onClose={props.onClose}>
      <form class="body" novalidate onSubmit={(event) => void submit(event)}>
        <p class="help skills-lead">{t('create_lead')}</p>
        <TextField
          label={t('name')}
          help={t('name_help')}
          autofocus
          mono
          maxLength={64}
          value={name()}
          onInput={setName}
          error={messageFor('/name')}
        />
        <TextArea
          label={t('description')}
          help={t('description_help')}
          rows={3}
          value={description()}
          onInput={setDescription}
          error={messageFor('/description')}
        />
        <AudienceField agents={props.agents} value={audience()} onInput={setAudience} />
        <Show when={!isOfField() && failure()}>{(error) => <Failure error={error()} />}</Show>
        <Buttons busy={busy()} action={t('create')} onClose={props.onClose} />
      </form>
    </Dialog>
  )
}

/** Installs a skill from an archive or an address. */
export function InstallDialog(props: DialogProps): JSX.Element {
  const [kind, setKind] = createSignal<'file' | 'url'>('file')
  const [file, setFile] = createSignal<File>()
  const [url, setUrl] = createSignal('')
  const [replace, setReplace] = createSignal(false)
  const [audience, setAudience] = createSignal<Audience>('user')
  const [problem, setProblem] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const chosen = file()
    const what = kind() === 'url' ? { url: url().trim() } : chosen && { file: chosen }
    if (busy()) return
    if (!what) return void setProblem(t('archive_help'))
    setBusy(true)
    setProblem(undefined)
    try {
      const made = await installSkill(audience(), what, replace())
      props.onClose()
      showToast(t('installed', { name: made.name }))
      await navigate(hrefOf(placeOfNew(audience(), made.name)))
    } catch (error) {
      setProblem(isProblem(error) ? (error.messageFor('/url') ?? error.message) : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('install_title')} onClose={props.onClose}>
      <form class="body" novalidate onSubmit={(event) => void submit(event)}>
        <p class="help skills-lead">{t('install_lead')}</p>
        <SelectField
          label={t('from')}
          value={kind()}
          onInput={setKind}
          choices={[
            { value: 'file', label: t('from_file') },
            { value: 'url', label: t('from_url_choice') },
          ]}
        />
        <Show
          when={kind() === 'file'}
          fallback={<TextField type="url" label={t('address')} help={t('address_help')} value={url()} onInput={setUrl} error={problem()} />}
        >
          <Field label={t('archive')} help={t('archive_help')} error={problem()}>
            {({ id, describedBy }) => (
              <input
                id={id}
                class="skills-file"
                type="file"
                accept=".zip,.gz,.tgz,application/zip,application/gzip"
                aria-describedby={describedBy}
                onChange={(event) => {
                  setFile(event.currentTarget.files?.[0])
                  setProblem(undefined)
                }}
              />
            )}
          </Field>
        </Show>
        <AudienceField agents={props.agents} value={audience()} onInput={setAudience} />
        <Checkbox label={t('replace')} value={replace()} onInput={setReplace} />
        <Buttons busy={busy()} action={t('install')} onClose={props.onClose} />
      </form>
    </Dialog>
  )
}
