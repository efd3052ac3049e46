import { Button, Dialog, showToast, commonText as ui } from '@agent-service/sdk/web'
import { type FormSchema, type FormValue, SchemaForm } from '@agent-service/sdk/web/forms'
import { type JSX, Show } from 'solid-js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { t } from '../common/texts.js'
import { formOf, isForeign, titleOf } from '../words/channel-words.js'

/** Replaces what the channel needs, the secrets too, so that no stored one is sent to another address. */
export function CredentialsDialog(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  /** Undefined: no active plugin has the channel. */
  readonly kind: Channel | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const submit = async (value: FormValue): Promise<void> => {
    const members = (value['members'] ?? {}) as Record<string, unknown>
    await props.channels.change(props.connection.id, { members })
    showToast(t('entered', { title: props.connection.title }))
    props.onDone()
  }
  const schemaOf = (kind: Channel): FormSchema => ({
    ...{ type: 'object', properties: { members: { ...formOf(kind), title: titleOf(kind) } }, required: ['members'] },
  })
  return (
    <Dialog title={t('enter_title', { title: props.connection.title })} modalOnly onClose={props.onClose}>
      <div class="body">
        <Show
          when={props.kind}
          keyed
          fallback={
            <>
              <p>{t('todo_absent')}</p>
              <footer>
                <Button onClick={() => props.onClose()}>{ui('close')}</Button>
              </footer>
            </>
          }
        >
          {(kind) => (
            <>
              <p class="channels-note">{t('enter_help')}</p>
              <div lang={isForeign(kind.id) ? 'en' : undefined}>
                <SchemaForm
                  schema={schemaOf(kind)}
                  value={{ members: props.connection.members }}
                  action={t('connect')}
                  onSubmit={submit}
                  onCancel={props.onClose}
                />
              </div>
            </>
          )}
        </Show>
      </div>
    </Dialog>
  )
}
