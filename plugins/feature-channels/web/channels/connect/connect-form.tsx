import { currentQuery, isProblem, navigate } from '@agent-service/sdk/web'
import { type FormSchema, type FormValue, SchemaForm } from '@agent-service/sdk/web/forms'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { AccessFields } from '../common/access-fields.js'
import type { Channel, ChannelApi } from '../common/channel-api.js'
import { bodyOf, type Choices, defaultChoices } from '../common/choices.js'
import { t } from '../common/texts.js'
import { formOf, isForeign, titleOf } from '../words/channel-words.js'
import { SetUpSteps } from './set-up-steps.js'

/** What to do at the vendor, what it gives, and who answers whom. Secrets go out once, and never come back. */
export function ConnectForm(props: { readonly channels: ChannelApi; readonly kind: Channel }): JSX.Element {
  const { channels } = props
  const [choices, setChoices] = createSignal<Choices>({ ...defaultChoices, agent_id: currentQuery().get('agent') })
  const schema = createMemo(() => schemaOf(props.kind))
  const submit = async (value: FormValue): Promise<void> => {
    const members = (value['members'] ?? {}) as Record<string, unknown>
    try {
      const { id } = await channels.create({
        ...{ channel: props.kind.id, title: String(value['title']).trim(), members },
        ...bodyOf(choices(), channels.isShared),
      })
      await navigate(`${channels.home}/${id}?new`, { replace: true })
    } catch (error) {
      throw atForm(error)
    }
  }
  return (
    <>
      <Show when={props.kind.set_up.length > 0}>
        <h2 class="h3 channels-head">{t('at_vendor', { title: titleOf(props.kind) })}</h2>
        <SetUpSteps kind={props.kind} />
      </Show>
      <h2 class="h3 channels-head">{t('connection_head')}</h2>
      <div lang={isForeign(props.kind.id) ? 'en' : undefined}>
        <SchemaForm
          schema={schema()}
          value={{ title: titleOf(props.kind) }}
          action={t('connect')}
          onSubmit={submit}
          onCancel={() => void navigate(channels.home)}
        >
          <AccessFields
            isShared={channels.isShared}
            hasGroups={props.kind.supports['groups'] === true}
            value={choices()}
            onInput={setChoices}
          />
        </SchemaForm>
      </div>
    </>
  )
}

/** The form shows problems of its own fields; those of others are said above it. */
function atForm(error: unknown): unknown {
  if (!isProblem(error) || error.errors.some(({ path }) => path === '/title' || path.startsWith('/members/'))) return error
  const [first] = error.errors
  return first ? new Error(`${error.message} ${first.path.slice(1)} ${first.message}`) : error
}

/** The body of the request as a form: the pointers of its problems lead to the fields. */
function schemaOf(kind: Channel): FormSchema {
  const members: FormSchema = { ...formOf(kind), title: titleOf(kind) }
  const title: FormSchema = { type: 'string', title: t('title_of'), minLength: 1, maxLength: 200 }
  return { type: 'object', properties: { title, members }, required: ['title', 'members'] }
}
