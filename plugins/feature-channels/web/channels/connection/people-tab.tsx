import { Button, confirmAction, createAction, EmptyState, Failure, type Query, Skeleton, showToast } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createSignal, type JSX, Show } from 'solid-js'
import type { ChannelApi, Connection, Sender } from '../common/channel-api.js'
import { t } from '../common/texts.js'
import { AddPersonDialog } from './add-person-dialog.js'
import { LetInDialog } from './let-in-dialog.js'
import { PersonRow } from './person-row.js'

/**
 * Who asks to be let in, and who was. What people call themselves proves nothing, and is only shown.
 * Pairings of shared connections are no events of an administrator: they are read again on request.
 */
export function PeopleTab(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly people: Query<readonly Sender[]>
}): JSX.Element {
  const { channels, people } = props
  const [letting, setLetting] = createSignal<Sender>()
  const [isAdding, setAdding] = createSignal(false)
  const changing = createAction((work: () => Promise<unknown>) => work(), { concurrent: true })
  let heading: HTMLHeadingElement | undefined
  const asking = (): readonly Sender[] => people.value()?.filter(({ state }) => state === 'pending') ?? []
  const known = (): readonly Sender[] => people.value()?.filter(({ state }) => state !== 'pending') ?? []
  /** The row is gone: its list has the focus. */
  const done = async (): Promise<void> => {
    await people.reload()
    heading?.focus()
  }
  const attempt = async (work: () => Promise<unknown>, text: string): Promise<void> => {
    if (await changing.run(work)) showToast(text)
    await done()
  }
  const forget = async (person: Sender): Promise<void> => {
    const name = nameOf(person)
    const isSure = await confirmAction({
      title: t('forget_question', { name }),
      text: t('forget_text'),
      action: t('forget'),
      keep: t('keep'),
    })
    if (isSure) await attempt(() => channels.forget(props.connection.id, person.id), t('forgotten', { name }))
  }
  const refuse = (person: Sender): Promise<void> =>
    attempt(() => channels.deny(props.connection.id, person.id), t('refused', { name: nameOf(person) }))
  return (
    <>
      <Show when={people.error()}>{(error) => <Failure error={error()} onRetry={() => void people.reload()} />}</Show>
      <Show when={changing.failure()}>{(error) => <Failure error={error()} />}</Show>
      <div class="channels-line channels-head">
        <h2
          class="h3"
          tabindex="-1"
          ref={(element) => {
            heading = element
          }}
        >
          {t('asking')}
        </h2>
        <Show when={channels.isShared}>
          <Button size="small" icon="refresh" busy={people.isLoading()} onClick={() => void people.reload()}>
            {t('read_again')}
          </Button>
        </Show>
      </div>
      <Show when={people.value()} fallback={<Show when={!people.error()}>{<Skeleton lines={3} />}</Show>}>
        <Show
          when={asking().length > 0}
          fallback={<p class="channels-note">{t(channels.isShared ? 'asking_none_shared' : 'asking_none')}</p>}
        >
          <p class="channels-note">{t(channels.isShared ? 'asking_help_shared' : 'asking_help')}</p>
          <VirtualRows items={asking()} label={t('asking')} text={wordsOf} rowHeight={76}>
            {(person) => (
              <PersonRow person={person} isShared={channels.isShared}>
                <Show when={channels.own}>
                  <Button size="small" label={t('let_in_title', { name: nameOf(person) })} onClick={() => setLetting(person)}>
                    {t('let_in')}
                  </Button>
                </Show>
                <Button size="small" kind="danger" label={t('refuse_title', { name: nameOf(person) })} onClick={() => void refuse(person)}>
                  {t('refuse')}
                </Button>
              </PersonRow>
            )}
          </VirtualRows>
        </Show>
        <div class="channels-line channels-head">
          <h2 class="h3">{t('known')}</h2>
          <Show when={channels.own}>
            <Button size="small" icon="plus" onClick={() => setAdding(true)}>
              {t('add_person')}
            </Button>
          </Show>
        </div>
        <Show when={known().length > 0} fallback={<EmptyState title={t('known_none')} text={t(`known_none_${props.connection.access}`)} />}>
          <VirtualRows items={known()} label={t('known')} text={wordsOf} rowHeight={76}>
            {(person) => (
              <PersonRow person={person} isShared={channels.isShared}>
                <Button size="small" kind="danger" label={t('forget_title', { name: nameOf(person) })} onClick={() => void forget(person)}>
                  {t('forget')}
                </Button>
              </PersonRow>
            )}
          </VirtualRows>
        </Show>
      </Show>
      <Show when={channels.own}>
        {(own) => (
          <>
            <Show when={letting()} keyed>
              {(person) => (
                <LetInDialog
                  person={person}
                  name={nameOf(person)}
                  onLetIn={(role) => own().approve(props.connection.id, person.id, role)}
                  onClose={() => setLetting(undefined)}
                  onDone={() => {
                    setLetting(undefined)
                    void done()
                  }}
                />
              )}
            </Show>
            <Show when={isAdding()}>
              <AddPersonDialog
                onAdd={(sender) => own().add(props.connection.id, sender)}
                onClose={() => setAdding(false)}
                onDone={() => {
                  setAdding(false)
                  void done()
                }}
              />
            </Show>
          </>
        )}
      </Show>
    </>
  )
}

const wordsOf = (person: Sender): string => `${nameOf(person)} ${person.sender_id}`

/** What a person calls themselves, without signs that turn the words around it; without a name, the vendor's id. */
const nameOf = ({ name, sender_id: id }: Sender): string => (name === '' ? id : name).replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
