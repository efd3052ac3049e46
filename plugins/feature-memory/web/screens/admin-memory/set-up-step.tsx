import { Button, createAction, defineSetUpStep, Failure, readAll, type SetUpStepProps } from '@agent-service/sdk/web'
import { ChoiceCards, type Configuration, membersOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { type Backend, backendsOf } from './backends.js'
import { t } from './set-up-texts.js'

interface Found {
  readonly configuration: Configuration
  readonly backends: readonly Backend[]
}

/** Chooses the memory back end, where more than one is installed. */
export default defineSetUpStep<Found>({
  order: 20,
  title: { en: 'Memory', de: 'Gedächtnis' },
  heading: { en: 'Choose the memory', de: 'Wähle das Gedächtnis' },
  lead: {
    en: 'It keeps what agents remember across chats. Another one can be chosen later; what is remembered can be moved.',
    de: 'Es behält, woran sich Agenten über Chats hinweg erinnern. Später lässt sich ein anderes wählen; Erinnerungen können umziehen.',
  },
  async read({ configuration, noted, signal }) {
    const plugins = await readAll((cursor) =>
      api.get('/api/admin/plugins', { query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal }),
    )
    const backends = backendsOf(configuration, plugins)
    return backends.length > 1 ? { isDone: noted === 'done' || isChosen(configuration), found: { configuration, backends } } : undefined
  },
  View: ChooseMemory,
})

/** The file or the environment names a back end, so there is nothing to choose. */
const isChosen = ({ saved, sources }: Configuration): boolean =>
  membersOf(saved['memory'])['backend'] !== undefined || (sources['memory.backend'] ?? 'default') !== 'default'

function ChooseMemory(props: SetUpStepProps<Found>): JSX.Element {
  const configured = (): unknown => {
    const { saved, values } = props.found.configuration
    return membersOf(saved['memory'])['backend'] ?? membersOf(values['memory'])['backend']
  }
  const [chosen, setChosen] = createSignal(
    props.found.backends.find(({ value }) => value === configured())?.value ?? props.found.backends[0]?.value ?? '',
  )
  const save = createAction(async () => {
    if (await saveConfiguration({ set: { 'memory.backend': chosen() } })) await props.onDone()
  })
  const backend = (value: string): Backend | undefined => props.found.backends.find((each) => each.value === value)
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <ChoiceCards legend={t('backend')} choices={props.found.backends.map(({ value }) => value)} value={chosen()} onInput={setChosen}>
        {(value) => (
          <>
            <b>{backend(value)?.title}</b>
            <span class="small t2" lang={backend(value)?.isForeign ? 'en' : undefined}>
              {backend(value)?.text}
            </span>
          </>
        )}
      </ChoiceCards>
      <Show when={save.failure()}>{(error) => <Failure error={error()} />}</Show>
      <div class="form-foot">
        <Button kind="main" type="submit" busy={save.busy()}>
          {t('save_and_continue')}
        </Button>
        {props.skip}
      </div>
    </form>
  )
}
